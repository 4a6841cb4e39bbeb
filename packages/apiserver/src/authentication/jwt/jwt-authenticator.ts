import { hash } from "node:crypto";
import type { Runtime } from "@coxswain/runtime";
import { type JwtAlgorithm, type JwtClaims, peekClaims } from "@coxswain/wire/jwt";
import type { TokenAuthenticator } from "../authenticator.js";
import { goTime } from "../go-words.js";
import { registeredClaims } from "../registered-claims.js";
import { audiencesOf, shown } from "../service-account-tokens.js";
import type { TokenCacheMetrics } from "../token-cache-metrics.js";
import { isHeader, partsOf } from "../token-shape.js";
import { malformed } from "./check-claims.js";
import { createClaimExpander, type ExpandClaims } from "./distributed-claims.js";
import { createJsonReader } from "./get-json.js";
import { createIssuerKeys, type IssuerKeys } from "./issuer-keys.js";
import { isExpression, type JwtIssuer } from "./jwt-issuer.js";
import type { KeySetMetrics } from "./key-set-metrics.js";
import { userOfClaims } from "./user-of-claims.js";

const mostTokens = 10_000;
/** Clocks of issuers may be ahead by this. */
const leewayMs = 5 * 60_000;
/** As long as kube-apiserver remembers whose a token is. */
const expandedMs = 10_000;

export interface JwtDeps {
  /** Tokens live by its `clock`, sockets by its `ioClock`. */
  readonly runtime: Runtime;
  readonly cacheMetrics: TokenCacheMetrics;
  readonly keySetMetrics: KeySetMetrics;
}

export interface JwtAuthenticator {
  readonly authenticate: TokenAuthenticator;
  /** Asks the issuer who it is. Rejects when it cannot be asked. */
  check(): Promise<void>;
  stop(): void;
}

/** Tokens of one issuer. What was verified is remembered by the token's hash until it expires or the issuer changes its keys. */
export function createJwtAuthenticator(
  issuer: JwtIssuer,
  algorithms: readonly JwtAlgorithm[],
  { runtime: { clock, ioClock }, cacheMetrics, keySetMetrics }: JwtDeps,
): JwtAuthenticator {
  const problemOf = (claims: JwtClaims): string | undefined => problemWith(claims, issuer, clock.now());
  const reader = createJsonReader(issuer.certificateAuthority, ioClock);
  const verified = new Map<string, JwtClaims>();
  const keys = createIssuerKeys({
    url: issuer.url,
    discoveryUrl: issuer.discoveryUrl,
    algorithms,
    reader,
    clock: ioClock,
    onKeys: () => verified.clear(),
    onFetched: (text) => keySetMetrics.fetched(issuer.url, text),
  });

  const expand: ExpandClaims | undefined =
    issuer.groups && !isExpression(issuer.groups)
      ? createClaimExpander({ claim: issuer.groups.claim, algorithms, reader, clock: ioClock, problemOf })
      : undefined;
  /** Claims that are kept elsewhere may change there: they are asked for anew after a while. */
  const expanded = new WeakMap<JwtClaims, { readonly claims: JwtClaims; readonly until: number }>();

  async function expandedClaims(claims: JwtClaims): Promise<JwtClaims> {
    if (!expand || !Object.hasOwn(claims, "_claim_names")) return claims;
    const known = expanded.get(claims);
    if (known && known.until > ioClock.monotonic()) return known.claims;
    try {
      const found = await expand(claims);
      expanded.set(claims, { claims: found, until: ioClock.monotonic() + expandedMs });
      return found;
    } catch (err) {
      throw new Error(`oidc: could not expand distributed claims: ${(err as Error).message}`, { cause: err });
    }
  }

  async function claimsOf(token: string): Promise<JwtClaims> {
    const id = hash("sha256", token, "base64");
    const known = verified.get(id);
    if (known && problemOf(known) === undefined) {
      cacheMetrics.hit();
      return known;
    }
    verified.delete(id);
    const claims = known ?? (await verify(token, keys, cacheMetrics));
    const problem = problemOf(claims);
    if (problem !== undefined) throw new Error(problem);
    if (verified.size >= mostTokens) verified.delete(verified.keys().next().value as string);
    verified.set(id, claims);
    return claims;
  }

  return {
    async authenticate(token) {
      if (issuerOf(token) !== issuer.url) return undefined;
      let claims: JwtClaims;
      try {
        claims = await claimsOf(token);
      } catch (err) {
        return { error: `oidc: verify token: ${messageOf(err)}` };
      }
      try {
        return userOfClaims(await expandedClaims(claims), issuer);
      } catch (err) {
        return { error: messageOf(err) };
      }
    },
    check: () => keys.discover(),
    stop: () => reader.stop(),
  };
}

/** The claims of a token that was not seen before; counted as a miss of the cache. */
async function verify(token: string, keys: IssuerKeys, cacheMetrics: TokenCacheMetrics): Promise<JwtClaims> {
  if (!isHeader(partsOf(token).header)) throw new Error("oidc: malformed jwt");
  const waited = cacheMetrics.miss();
  const fetched = cacheMetrics.fetch();
  let ok = false;
  try {
    const claims = await keys.verify(token);
    ok = true;
    return claims;
  } finally {
    fetched(ok);
    waited();
  }
}

/** Why the claims are of no use now. */
function problemWith(claims: JwtClaims, issuer: JwtIssuer, now: number): string | undefined {
  const registered = registeredClaims(claims);
  const { exp, nbf } = registered;
  const wrong = malformed({ ...claims, ...registered });
  if (wrong !== undefined) return wrong;
  const audiences = audiencesOf(registered);
  if (!audiences.some((audience) => issuer.audiences.includes(audience))) {
    return issuer.audiences.length === 1
      ? `oidc: expected audience ${JSON.stringify(issuer.audiences[0])} got ${shown(audiences)}`
      : `oidc: expected audience in ${shown([...issuer.audiences].sort())} got ${shown(audiences)}`;
  }
  // Beyond what Go can count is before all time.
  const end = typeof exp === "number" && Math.abs(exp) < 2 ** 63 ? exp * 1000 : undefined;
  if (end === undefined || end < now) return `oidc: token is expired (Token Expiry: ${goTime(end)})`;
  if (typeof nbf === "number" && nbf * 1000 > now + leewayMs)
    return `oidc: current time ${goTime(now)} before the nbf (not before) time: ${goTime(nbf * 1000)}`;
  return undefined;
}

const messageOf = (err: unknown): string => (err instanceof Error ? err.message : String(err));

/** One issuer leaves out the scheme of its name. */
function issuerOf(token: string): unknown {
  const issuer = registeredClaims(peekClaims(token)).iss;
  return issuer === "accounts.google.com" ? "https://accounts.google.com" : issuer;
}
