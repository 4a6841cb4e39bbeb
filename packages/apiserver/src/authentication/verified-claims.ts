import { hash } from "node:crypto";
import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import { type JwtClaims, peekClaims, peekHeader, verifyPublished } from "@coxswain/wire/jwt";
import { registeredClaims } from "./registered-claims.js";
import type { TokenCacheMetrics } from "./token-cache-metrics.js";
import type { TokenKeys } from "./token-keys.js";
import { claimsError, isHeader, partsOf } from "./token-shape.js";

const mostTokens = 10_000;

export type VerifiedClaims =
  | { readonly issuer: string; readonly claims: JwtClaims }
  | { readonly issuer: string; readonly error: string };

/** The claims of tokens that one of the keys has signed. One reader for all that look at such tokens: each is read once. */
export interface ClaimReader {
  /** Undefined: the token is of none of the issuers. */
  read(token: string, issuers: readonly string[]): Soon<VerifiedClaims | undefined>;
  /** The token is over: it need not be remembered. */
  forget(token: string): void;
}

/**
 * A signature is checked once and remembered by the token's hash, never by the token, as long as the keys stay. Whatever may change (time,
 * objects that tokens are bound to) is for the caller to check every time.
 */
export function createClaimReader(keys: TokenKeys, metrics: TokenCacheMetrics): ClaimReader {
  const verified = new Map<string, VerifiedClaims>();
  keys.onReplaced(() => verified.clear());
  let last = { token: "", id: "" };
  const idOf = (token: string): string => {
    if (token !== last.token) last = { token, id: hash("sha256", token, "base64") };
    return last.id;
  };
  const verify = (token: string, id: string, issuers: readonly string[]): Soon<VerifiedClaims | undefined> => {
    const issuer = registeredClaims(peekClaims(token)).iss;
    if (typeof issuer !== "string" || !issuers.includes(issuer)) return undefined;
    const parts = partsOf(token);
    if (!isHeader(parts.header)) return undefined;
    const kid = peekHeader(token)?.kid;
    const waited = metrics.miss();
    const fetched = metrics.fetch();
    return whenKnown(keys.find(typeof kid === "string" ? kid : ""), (found) => {
      const claims = verifyPublished(token, found, undefined);
      const error =
        found.length === 0
          ? "invalid signature, no keys found"
          : claims
            ? claimsError(parts.claims, claims)
            : "go-jose/go-jose: error in cryptographic primitive";
      fetched(error === undefined);
      waited();
      if (!claims || error !== undefined) return { issuer, error: error ?? "" };
      if (verified.size >= mostTokens) verified.delete(verified.keys().next().value as string);
      const read = { issuer, claims };
      verified.set(id, read);
      return read;
    });
  };
  return {
    read(token, issuers) {
      const id = idOf(token);
      const known = verified.get(id);
      if (!known) return verify(token, id, issuers);
      if (!issuers.includes(known.issuer)) return undefined;
      metrics.hit();
      return known;
    },
    forget: (token) => void verified.delete(idOf(token)),
  };
}
