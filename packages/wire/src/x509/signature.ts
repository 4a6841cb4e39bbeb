import { type KeyObject, sign, verify } from "node:crypto";
import { type DerElement, readChildren, readOid } from "./der-read.js";
import { asn1Null, oid, sequence, tag } from "./der-write.js";
import { oids } from "./object-identifiers.js";

/** node:crypto's digest for each signature algorithm; Ed25519 hashes by itself. */
const digests = new Map<string, string | null>([
  [oids.ecdsaWithSha256, "sha256"],
  [oids.ecdsaWithSha384, "sha384"],
  [oids.ecdsaWithSha512, "sha512"],
  [oids.sha256WithRsa, "sha256"],
  [oids.sha384WithRsa, "sha384"],
  [oids.sha512WithRsa, "sha512"],
  [oids.ed25519, null],
]);

const isRsa = (algorithm: string): boolean => algorithm.startsWith("1.2.840.113549.1.1.");

/** The algorithm with which a key of this kind signs. */
export function signatureAlgorithm(key: KeyObject): string {
  if (key.asymmetricKeyType === "rsa") return oids.sha256WithRsa;
  if (key.asymmetricKeyType === "ed25519") return oids.ed25519;
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (curve === "prime256v1") return oids.ecdsaWithSha256;
  if (curve === "secp384r1") return oids.ecdsaWithSha384;
  if (curve === "secp521r1") return oids.ecdsaWithSha512;
  throw new TypeError(
    `a key of type ${key.asymmetricKeyType ?? key.type}${curve ? ` (${curve})` : ""} cannot sign certificates; use P-256, P-384, P-521, RSA or Ed25519`,
  );
}

/** RSA has a NULL for its parameters, the others have none at all. */
export const encodeAlgorithm = (algorithm: string): Buffer =>
  sequence(oid(algorithm), ...(isRsa(algorithm) ? [asn1Null()] : []));
export const readAlgorithm = (found: DerElement): string => readOid(readChildren(found, tag.sequence)[0]);

export const signBytes = (bytes: Uint8Array, key: KeyObject): Buffer =>
  sign(digests.get(signatureAlgorithm(key)), bytes, key);

/** False also for an algorithm that is unknown or does not fit the key. */
export function verifyBytes(
  signed: { bytes: Uint8Array; algorithm: string; signature: Uint8Array },
  key: KeyObject,
): boolean {
  const digest = digests.get(signed.algorithm);
  const kind = isRsa(signed.algorithm) ? "rsa" : signed.algorithm === oids.ed25519 ? "ed25519" : "ec";
  if (digest === undefined || kind !== key.asymmetricKeyType) return false;
  return verify(digest, signed.bytes, key, signed.signature);
}
