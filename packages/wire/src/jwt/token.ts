import { isJwtAlgorithm, type JwtAlgorithm, signBytes, verifyBytes } from "./algorithms.js";
import type { PublishedKey, SigningKey, VerificationKey } from "./keys.js";

/** The claims of a token. What a token holds beside these is its issuer's business. */
export type JwtClaims = Readonly<Record<string, unknown>>;

export interface JwtHeader {
  readonly alg?: unknown;
  readonly kid?: unknown;
  /** What a reader must understand or refuse the token. */
  readonly crit?: unknown;
  /** False: the claims stand in the token as they are. */
  readonly b64?: unknown;
}

/** A signed token in its compact form; claims are sorted, as Kubernetes writes them. */
export function signToken(claims: JwtClaims, { id, algorithm, privateKey }: SigningKey): string {
  const signed = `${encode({ alg: algorithm, kid: id })}.${claimsPart(claims)}`;
  return `${signed}.${signBytes(algorithm, privateKey, Buffer.from(signed)).toString("base64url")}`;
}

/** The claims as they stand in a token, for an external signer. */
export const claimsPart = (claims: JwtClaims): string =>
  encode(Object.fromEntries(Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1))));

/** The claims of a token without any check, to see whose it is. Undefined: it is no token of this form. */
export const peekClaims = (token: string): JwtClaims | undefined => decode(partsOf(token)?.body ?? "");

/** The header of a token without any check, to see which key it names. Undefined: it is no token of this form. */
export const peekHeader = (token: string): JwtHeader | undefined => decode(partsOf(token)?.head ?? "");

/**
 * The claims of a token that one of the keys has signed; undefined for any other. A token chooses among the keys by their id; it
 * never chooses the algorithm, which is the key's. Times and audiences are the caller's to check.
 */
export const verifyToken = (token: string, keys: readonly VerificationKey[]): JwtClaims | undefined =>
  verifyPublished(token, keys, undefined);

/**
 * The same for keys that an issuer publishes: a key without an algorithm of its own is used with the one that the token names, where that
 * is one of `allowed` and fits the key.
 */
export function verifyPublished(
  token: string,
  keys: readonly PublishedKey[],
  allowed: readonly JwtAlgorithm[] | undefined,
): JwtClaims | undefined {
  const parts = partsOf(token);
  const header: JwtHeader | undefined = decode(parts?.head ?? "");
  if (!parts || !header) return undefined;
  const { alg, crit = [], b64 } = header;
  const kid = header.kid ?? "";
  if (!isJwtAlgorithm(alg) || (allowed && !allowed.includes(alg))) return undefined;
  if (b64 === false || !Array.isArray(crit) || crit.some((name) => name !== "b64")) return undefined;
  const data = Buffer.from(`${parts.head}.${parts.body}`);
  const signature = Buffer.from(parts.signature, "base64url");
  const matching = keys.filter(({ id, algorithm }) => (algorithm ?? alg) === alg && (kid === "" || kid === id));
  return matching.some(({ key }) => verifyBytes(alg, key, data, signature)) ? decode(parts.body) : undefined;
}

/** Exactly three parts in their one spelling: a token that reads the same in two spellings could be one that was revoked. */
function partsOf(token: string): { head: string; body: string; signature: string } | undefined {
  const match = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/.exec(token);
  const [, head = "", body = "", signature = ""] = match ?? [];
  return match && Buffer.from(signature, "base64url").toString("base64url") === signature
    ? { head, body, signature }
    : undefined;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function decode(part: string): JwtClaims | undefined {
  try {
    const value = JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JwtClaims) : undefined;
  } catch {
    return undefined; // not JSON: not a token
  }
}
