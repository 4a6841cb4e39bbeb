import { constants, type KeyObject, sign, verify } from "node:crypto";

/** Every algorithm that tokens may be signed with. None is symmetric: a public key is no secret. */
export const jwtAlgorithms = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512"] as const;
export type JwtAlgorithm = (typeof jwtAlgorithms)[number];

export const isJwtAlgorithm = (name: unknown): name is JwtAlgorithm =>
  (jwtAlgorithms as readonly unknown[]).includes(name);

const curves: Readonly<Record<string, JwtAlgorithm>> = { prime256v1: "ES256", secp384r1: "ES384", secp521r1: "ES512" };

/** The one that tokens are signed with by such a key, as Kubernetes chooses it. Throws for other keys. */
export function usualAlgorithm(key: KeyObject): JwtAlgorithm {
  if (key.asymmetricKeyType === "rsa") return "RS256";
  const algorithm = key.asymmetricKeyType === "ec" ? curves[key.asymmetricKeyDetails?.namedCurve ?? ""] : undefined;
  if (algorithm === undefined)
    throw new Error(
      `tokens are signed with keys of type P-256, P-384, P-521 or RSA, not ${key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType ?? "unknown"}`,
    );
  return algorithm;
}

/** Whether the algorithm is one for such keys. */
export function fits(algorithm: JwtAlgorithm, key: KeyObject): boolean {
  if (algorithm.startsWith("ES"))
    return key.asymmetricKeyType === "ec" && curves[key.asymmetricKeyDetails?.namedCurve ?? ""] === algorithm;
  return key.asymmetricKeyType === "rsa";
}

export const signBytes = (algorithm: JwtAlgorithm, key: KeyObject, data: Buffer): Buffer =>
  sign(hashOf(algorithm), data, { key, ...paddingOf(algorithm) });

export const verifyBytes = (algorithm: JwtAlgorithm, key: KeyObject, data: Buffer, signature: Buffer): boolean =>
  fits(algorithm, key) && verify(hashOf(algorithm), data, { key, ...paddingOf(algorithm), ...anySalt }, signature);

/** The signer chooses the salt length of PSS. */
const anySalt = { saltLength: constants.RSA_PSS_SALTLEN_AUTO };

const hashOf = (algorithm: JwtAlgorithm): string => `sha${algorithm.slice(2)}`;

/** Signatures of elliptic curves are the two numbers side by side, not DER. */
function paddingOf(algorithm: JwtAlgorithm): { dsaEncoding: "ieee-p1363" } | { padding: number; saltLength?: number } {
  if (algorithm.startsWith("ES")) return { dsaEncoding: "ieee-p1363" };
  if (algorithm.startsWith("PS"))
    return { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return { padding: constants.RSA_PKCS1_PADDING };
}
