import { sign, verify } from "node:crypto";
import type { JwtAlgorithm, SigningKey, VerificationKey } from "./keys.js";

/** The claims of a token. What a token holds beside these is its issuer's business. */
export type JwtClaims = Readonly<Record<string, unknown>>;

/** ES256 signatures are the two numbers side by side, not DER. */
const dsaEncoding = "ieee-p1363";

/** A signed token in its compact form; claims are sorted, as Kubernetes writes them. */
export function signToken(claims: JwtClaims, { id, algorithm, privateKey }: SigningKey): string {
  const sorted = Object.fromEntries(Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1)));
  const signed = `${encode({ alg: algorithm, kid: id })}.${encode(sorted)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding }).toString("base64url")}`;
}

/** The claims of a token without any check, to see whose it is. Undefined: it is no token of this form. */
export function peekClaims(token: string): JwtClaims | undefined {
  const parts = token.split(".");
  return parts.length === 3 ? decode(parts[1] ?? "") : undefined;
}

/**
 * The claims of a token that one of the keys has signed; undefined for any other. A token chooses among the keys by their id; it
 * never chooses the algorithm, which is the key's. Times and audiences are the caller's to check.
 */
export function verifyToken(token: string, keys: readonly VerificationKey[]): JwtClaims | undefined {
  const [head = "", body = "", signature = "", ...more] = token.split(".");
  const header = decode(head) as { alg?: JwtAlgorithm; kid?: string } | undefined;
  if (!header || more.length > 0) return undefined;
  const data = Buffer.from(`${head}.${body}`);
  const bytes = Buffer.from(signature, "base64url");
  const matching = keys.filter(({ id, algorithm }) => algorithm === header.alg && (header.kid === undefined || header.kid === id));
  return matching.some(({ key }) => verify("sha256", data, { key, dsaEncoding }, bytes)) ? decode(body) : undefined;
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
