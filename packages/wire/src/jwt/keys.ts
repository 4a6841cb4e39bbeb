import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";

export type JwtAlgorithm = "ES256" | "RS256";

/** A public key with what tokens and key sets say of it. */
export interface VerificationKey {
  /** SHA-256 of the key's DER form, as Kubernetes names keys. */
  readonly id: string;
  readonly algorithm: JwtAlgorithm;
  readonly key: KeyObject;
}

export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

/** Throws for a key that is neither P-256 nor RSA. */
export function verificationKey(pem: string | KeyObject): VerificationKey {
  const key = typeof pem === "string" ? createPublicKey(pem) : pem;
  const id = createHash("sha256").update(key.export({ type: "spki", format: "der" })).digest("base64url");
  return { id, algorithm: algorithmOf(key), key };
}

/** From a private key in PEM; left out: a fresh one, for as long as the process lives. */
export function signingKey(pem?: string): SigningKey {
  const privateKey = pem === undefined ? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey : createPrivateKey(pem);
  return { ...verificationKey(createPublicKey(privateKey)), privateKey };
}

function algorithmOf(key: KeyObject): JwtAlgorithm {
  if (key.asymmetricKeyType === "rsa") return "RS256";
  if (key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1") return "ES256";
  throw new Error(`tokens are signed with keys of type P-256 or RSA, not ${key.asymmetricKeyType ?? "unknown"}`);
}

/** The keys as a JSON Web Key Set, for whoever checks tokens elsewhere. */
export function keySet(keys: readonly VerificationKey[]): { keys: object[] } {
  return { keys: keys.map(({ id, algorithm, key }) => ({ use: "sig", ...orderedJwk(key), kid: id, alg: algorithm })) };
}

function orderedJwk(key: KeyObject): object {
  const { kty, crv, x, y, n, e } = key.export({ format: "jwk" });
  return kty === "RSA" ? { kty, n, e } : { kty, crv, x, y };
}
