import { X509Certificate } from "node:crypto";

/** The PEM of a `caBundle`, which is base64. Undefined: there is none. Throws an Error in upstream's words. */
export function readBundle(base64: string): string | undefined {
  const pem = Buffer.from(base64, "base64").toString().trim();
  if (pem === "") return undefined;
  try {
    void new X509Certificate(pem); // the first of them: junk is refused, as Go refuses it
  } catch (cause) {
    throw new Error("unable to load root certificates: unable to parse bytes as PEM block", { cause });
  }
  return pem;
}
