import { isIP } from "node:net";

/** The 4 or 16 bytes of an address; undefined when `text` is none. A zone (`%eth0`) is not part of a certificate. */
export function addressBytes(text: string): Buffer | undefined {
  const kind = text.includes("%") ? 0 : isIP(text);
  if (kind === 4) return Buffer.from(text.split(".").map(Number));
  if (kind !== 6) return undefined;
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const groups = dotted ? `${dotted[1]}${hex(addressBytes(dotted[2]!)!)}` : text;
  const [head = "", tail] = groups.split("::");
  const words = (half: string): number[] => (half === "" ? [] : half.split(":").map((word) => Number.parseInt(word, 16)));
  const before = words(head);
  const after = tail === undefined ? [] : words(tail);
  const all = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]));
}

const hex = (four: Buffer): string => `${four.readUInt16BE(0).toString(16)}:${four.readUInt16BE(2).toString(16)}`;

/** In the shortest form of RFC 5952: the longest run of zero groups becomes `::`. */
export function formatAddress(bytes: Uint8Array): string | undefined {
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.length !== 16) return undefined;
  const words = Array.from({ length: 8 }, (_, index) => (bytes[index * 2]! << 8) | bytes[index * 2 + 1]!);
  let best = { start: 0, length: 1 };
  for (let start = 0; start < 8; start += 1) {
    let end = start;
    while (end < 8 && words[end] === 0) end += 1;
    if (end - start > best.length) best = { start, length: end - start };
  }
  const text = (part: number[]): string => part.map((word) => word.toString(16)).join(":");
  if (best.length === 1) return text(words);
  return `${text(words.slice(0, best.start))}::${text(words.slice(best.start + best.length))}`;
}
