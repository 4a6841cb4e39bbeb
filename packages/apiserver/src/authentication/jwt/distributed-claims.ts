import { STATUS_CODES } from "node:http";
import { getOwn, setOwn } from "@coxswain/apimachinery/own";
import type { Clock } from "@coxswain/runtime/clock";
import { type JwtAlgorithm, type JwtClaims, peekClaims } from "@coxswain/wire/jwt";
import type { JsonReader } from "./get-json.js";
import { createIssuerKeys, type IssuerKeys } from "./issuer-keys.js";

export interface DistributedClaimsOptions {
  /** The claim that may be kept elsewhere. */
  readonly claim: string;
  readonly algorithms: readonly JwtAlgorithm[];
  readonly reader: JsonReader;
  readonly clock: Pick<Clock, "monotonic">;
  /** What is wrong with the claims of a token whose signature is good; undefined: nothing. */
  problemOf(claims: JwtClaims): string | undefined;
}

/** The claims, which are well formed, with the one that may be kept elsewhere among them. Rejects when it cannot be had. */
export type ExpandClaims = (claims: JwtClaims) => Promise<JwtClaims>;

interface Source {
  readonly endpoint?: string;
  readonly access_token?: string;
}

/**
 * An issuer may send where a claim is kept instead of the claim itself (OpenID Connect Core 1.0, section 5.6.2): at an endpoint that
 * answers with another token, of any issuer that can be asked for its keys.
 */
export function createClaimExpander({
  claim,
  algorithms,
  reader,
  clock,
  problemOf,
}: DistributedClaimsOptions): ExpandClaims {
  const issuers = new Map<string, IssuerKeys>();
  function keysOf(url: string): IssuerKeys {
    let keys = issuers.get(url);
    if (!keys)
      issuers.set(
        url,
        (keys = createIssuerKeys({
          url,
          discoveryUrl: undefined,
          algorithms,
          reader,
          clock,
          onKeys: () => {},
          onFetched: () => {},
        })),
      );
    return keys;
  }

  async function fetchClaim({ endpoint = "", access_token: accessToken }: Source): Promise<unknown> {
    const { code, body: token } = await reader.getAnswer(endpoint, accessToken).catch((err: Error) => {
      throw new Error(`while getting distributed claim ${JSON.stringify(claim)}: ${err.message}`, { cause: err });
    });
    if (code < 200 || code > 226)
      throw new Error(
        `while getting distributed claim ${JSON.stringify(claim)}: error while getting distributed claim JWT: ${code} ${STATUS_CODES[code] ?? ""}`.trimEnd(),
      );
    const issuer = peekClaims(token)?.iss;
    if (typeof issuer !== "string" || issuer === "")
      throw new Error(
        `getting untrusted issuer from endpoint ${endpoint} failed for claim ${JSON.stringify(claim)}: malformed token`,
      );
    const found = await keysOf(issuer)
      .verify(token)
      .catch((err: Error) => {
        throw new Error(`verify distributed claim token: ${err.message}`, { cause: err });
      });
    const problem = problemOf(found);
    if (problem !== undefined) throw new Error(`verify distributed claim token: ${problem}`);
    const value = getOwn(found, claim);
    if (value === undefined)
      throw new Error(
        `jwt returned by distributed claim endpoint ${JSON.stringify(endpoint)} did not contain claim: ${claim}`,
      );
    return value;
  }

  return async (claims) => {
    const names = getOwn(claims, "_claim_names");
    if (getOwn(claims, claim) !== undefined || names === undefined) return claims;
    const name = getOwn(names as Record<string, string>, claim);
    if (name === undefined) return claims;
    const source = getOwn(getOwn(claims, "_claim_sources") as Record<string, Source>, name) ?? {};
    if (!source.endpoint) return claims;
    const expanded = { ...claims };
    setOwn(expanded, claim, await fetchClaim(source));
    return expanded;
  };
}
