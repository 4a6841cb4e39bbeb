import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { DerError, readBits, readChildren, readDer } from "./der-read.js";
import { tag } from "./der-write.js";

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** P-256: made in a tenth of a millisecond, where RSA takes hundreds. */
export const generateKeyPair = (): KeyPair => generateKeyPairSync("ec", { namedCurve: "P-256" });

/** SEC 1 (`EC PRIVATE KEY`) or PKCS #1 where there is such a form: some readers know no PKCS #8. */
export function encodePrivateKey(key: KeyObject): string {
  const type = key.asymmetricKeyType === "ec" ? "sec1" : key.asymmetricKeyType === "rsa" ? "pkcs1" : "pkcs8";
  return key.export({ type, format: "pem" }) as string;
}

/** The public half, of either half. */
export const publicHalf = (key: KeyObject): KeyObject => (key.type === "private" ? createPublicKey(key) : key);

export const encodePublicKey = (key: KeyObject): string =>
  publicHalf(key).export({ type: "spki", format: "pem" }) as string;

/** The key's SubjectPublicKeyInfo, as certificates hold it. */
export const publicKeyInfo = (key: KeyObject): Buffer => publicHalf(key).export({ type: "spki", format: "der" });

/** Of a SubjectPublicKeyInfo. @throws DerError for one that OpenSSL cannot read: the class and code of its errors differ by version */
export function readPublicKey(info: Buffer): KeyObject {
  try {
    return createPublicKey({ key: info, format: "der", type: "spki" });
  } catch (err) {
    throw new DerError("a public key cannot be read", { cause: err });
  }
}

/** RFC 7093, method 1: the first 160 bits of the SHA-256 of the key's bits. */
export function keyId(info: Uint8Array): Buffer {
  const bits = readBits(readChildren(readDer(info), tag.sequence)[1]);
  return createHash("sha256").update(bits).digest().subarray(0, 20);
}
