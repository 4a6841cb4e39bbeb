import { createHash } from "node:crypto";
import { type JwtClaims, peekClaims, peekHeader, type VerificationKey, verifyPublished } from "@coxswain/wire/jwt";

const mostTokens = 10_000;

export type VerifiedClaims = { readonly issuer: string; readonly claims: JwtClaims } | { readonly issuer: string; readonly error: string };

/** The claims of tokens that one of the keys has signed. One reader for all that look at such tokens: each is read once. */
export interface ClaimReader {
  /** Undefined: the token is of none of the issuers. */
  read(token: string): VerifiedClaims | undefined;
  /** The token is over: it need not be remembered. */
  forget(token: string): void;
}

/**
 * A signature is checked once and remembered by the token's hash, never by the token. Whatever may change (time, objects that tokens are
 * bound to) is for the caller to check every time.
 */
export function createClaimReader(issuers: readonly string[], keys: readonly VerificationKey[]): ClaimReader {
  // An RSA key is good for all algorithms of RSA, as upstream has it; this server itself signs with the usual one.
  const forAnyAlgorithm = keys.map(({ id, key }) => ({ id, key, algorithm: undefined }));
  const verified = new Map<string, VerifiedClaims>();
  let last = { token: "", id: "" };
  const idOf = (token: string): string => {
    if (token !== last.token) last = { token, id: createHash("sha256").update(token).digest("base64") };
    return last.id;
  };
  return {
    read(token) {
      const id = idOf(token);
      const known = verified.get(id);
      if (known) return known;
      const issuer = peekClaims(token)?.iss;
      if (typeof issuer !== "string" || !issuers.includes(issuer)) return undefined;
      const kid = peekHeader(token)?.kid;
      if (typeof kid === "string" && kid !== "" && !keys.some((key) => key.id === kid)) return { issuer, error: "invalid signature, no keys found" };
      const claims = verifyPublished(token, forAnyAlgorithm, undefined);
      if (!claims) return { issuer, error: "go-jose/go-jose: error in cryptographic primitive" };
      if (verified.size >= mostTokens) verified.delete(verified.keys().next().value as string);
      const found = { issuer, claims };
      verified.set(id, found);
      return found;
    },
    forget: (token) => void verified.delete(idOf(token)),
  };
}
