import { createHash } from "node:crypto";

const base32 = "abcdefghijklmnopqrstuvwxyz234567";

/** Half of a hash in base 32, of the host's name and the program's, each after its length: the same host has the same name after a restart. */
export function identityName(hostname: string): string {
  const hash = createHash("sha256");
  for (const text of [hostname, "kube-apiserver"].map((name) => new TextEncoder().encode(name)))
    hash.update(Uint8Array.of(text.length >> 8, text.length & 0xff)).update(text);
  let bits = "";
  for (const byte of hash.digest().subarray(0, 16)) bits += byte.toString(2).padStart(8, "0");
  return `apiserver-${(bits.match(/.{1,5}/g) ?? []).map((five) => base32[Number.parseInt(five.padEnd(5, "0"), 2)]).join("")}`;
}
