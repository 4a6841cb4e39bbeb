import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from "node:crypto";
import { fits, isJwtAlgorithm, type JwtAlgorithm, usualAlgorithm } from "./algorithms.js";

/** A public key with its id and algorithm in tokens and key sets. */
export interface VerificationKey {
  /** SHA-256 of the key's DER form, as Kubernetes names keys. */
  readonly id: string;
  readonly algorithm: JwtAlgorithm;
  readonly key: KeyObject;
}

export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

/** Throws for a key that is neither RSA nor of a curve that tokens know. */
export function verificationKey(pem: string | KeyObject): VerificationKey {
  const key = typeof pem === "string" ? createPublicKey(pem) : pem;
  const id = createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("base64url");
  return { id, algorithm: usualAlgorithm(key), key };
}

/** From a private key in PEM; left out: a fresh one, for as long as the process lives. */
export function signingKey(pem?: string): SigningKey {
  const privateKey =
    pem === undefined ? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey : createPrivateKey(pem);
  return { ...verificationKey(createPublicKey(privateKey)), privateKey };
}

/** The public keys of a PEM bundle; a private key stands for its public one, a certificate for its key. Throws where there is none. */
export function verificationKeys(pem: string): VerificationKey[] {
  const blocks = pem.split(/(?=-----BEGIN )/).filter((block) => block.startsWith("-----BEGIN "));
  const keys = blocks
    .filter((block) => block.includes("-----END ") && !block.startsWith("-----BEGIN EC PARAMETERS"))
    .map((block) => verificationKey(block));
  if (keys.length === 0) throw new Error("there is no key in PEM form");
  return keys;
}

/** A key that an issuer publishes. */
export interface PublishedKey {
  /** "" where it has no name. */
  readonly id: string;
  /** Undefined: any that fits the key. */
  readonly algorithm: JwtAlgorithm | undefined;
  readonly key: KeyObject;
}

/** The keys of a JSON Web Key Set that tokens can be checked with. Others, such as those to encrypt with, are passed over. */
export function readKeySet(set: unknown): PublishedKey[] {
  const { keys } = (set ?? {}) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new Error("a key set has no member keys");
  return keys.flatMap((jwk: { kid?: unknown; alg?: unknown; use?: unknown; kty?: unknown }) => {
    if (
      jwk === null ||
      typeof jwk !== "object" ||
      (jwk.use !== undefined && jwk.use !== "sig") ||
      (jwk.kty !== "RSA" && jwk.kty !== "EC")
    )
      return [];
    try {
      const key = createPublicKey({ key: jwk as JsonWebKey, format: "jwk" });
      usualAlgorithm(key);
      if (jwk.alg !== undefined && !(isJwtAlgorithm(jwk.alg) && fits(jwk.alg, key))) return [];
      return [
        {
          id: typeof jwk.kid === "string" ? jwk.kid : "",
          algorithm: isJwtAlgorithm(jwk.alg) ? jwk.alg : undefined,
          key,
        },
      ];
    } catch {
      return []; // one broken key does not spoil the others
    }
  });
}

/** The keys as a JSON Web Key Set, for verifiers elsewhere. */
export function keySet(keys: readonly VerificationKey[]): { keys: object[] } {
  return { keys: keys.map(orderedJwk) };
}

function orderedJwk({ id: kid, algorithm: alg, key }: VerificationKey): object {
  const { kty, crv, x, y, n, e } = key.export({ format: "jwk" });
  return kty === "RSA" ? { use: "sig", kty, kid, alg, n, e } : { use: "sig", kty, kid, crv, alg, x, y };
}
