import { createHash } from "node:crypto";
import type { Clock } from "@coxswain/apimachinery/clock";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { type JwtClaims, keySet, peekClaims, type SigningKey, signToken, verifyToken } from "@coxswain/wire/jwt";
import { unauthorized } from "@coxswain/apimachinery/status";
import { type ServiceAccountClaims, userOfClaims } from "./service-account-claims.js";
import type { UserInfo } from "../server/user-info.js";
import type { Authenticator } from "./authenticator.js";
import { bearerToken } from "./bearer-token.js";

/** Clocks of others may be ahead or behind by this. */
const leewayMs = 60_000;
const cachedTokens = 10_000;

export interface TokenOptions {
  readonly issuer: string;
  /** Tokens for these are good for this server. */
  readonly audiences: readonly string[];
  readonly key: SigningKey;
  readonly clock: Clock;
  /** The object that a token is bound to, as it is now. */
  find(kind: "pods" | "secrets" | "nodes" | "serviceaccounts", namespace: string, name: string): KubernetesObject | undefined;
}

export type Verdict = { readonly user: UserInfo; readonly audiences: readonly string[] } | { readonly error: string };

/** Tokens of service accounts: made here, and known again. */
export interface ServiceAccountTokens {
  readonly issuer: string;
  readonly audiences: readonly string[];
  issue(claims: Omit<ServiceAccountClaims, "iss">): string;
  /** Undefined: it is not one of ours. `audiences`: what the asker wants it to be for; the answer has those that it is for. */
  review(token: string, audiences?: readonly string[]): Verdict | undefined;
  readonly authenticator: Authenticator;
  keys(): object;
  readonly algorithm: string;
}

export function createServiceAccountTokens(options: TokenOptions): ServiceAccountTokens {
  const { issuer, key, clock } = options;
  const verified = new Map<string, ServiceAccountClaims>();

  /** A signature is checked once; what it is bound to, every time. */
  function claimsOf(token: string): ServiceAccountClaims | undefined {
    const id = createHash("sha256").update(token).digest("base64");
    const known = verified.get(id);
    if (known) return known;
    if (peekClaims(token)?.iss !== issuer) return undefined;
    const claims = verifyToken(token, [key]);
    if (!claims || !isComplete(claims)) return undefined;
    if (verified.size >= cachedTokens) verified.delete(verified.keys().next().value as string);
    verified.set(id, claims);
    return claims;
  }

  function review(token: string, wanted: readonly string[] = options.audiences): Verdict | undefined {
    const claims = claimsOf(token);
    if (!claims) return undefined;
    const audiences = wanted.filter((audience) => claims.aud.includes(audience));
    if (audiences.length === 0) return { error: `token audiences ${shown(claims.aud)} is invalid for the target audiences ${shown(wanted)}` };
    const error = timeError(claims, clock.now()) ?? boundError(claims, options);
    return error === undefined ? { user: userOfClaims(claims), audiences } : { error };
  }

  return {
    issuer,
    audiences: options.audiences,
    issue: (claims) => signToken({ ...claims, iss: issuer }, key),
    review,
    authenticator(request) {
      const token = bearerToken(request);
      const verdict = token === undefined ? undefined : review(token);
      if (verdict && "error" in verdict) throw unauthorized("Unauthorized");
      return verdict?.user;
    },
    keys: () => keySet([key]),
    algorithm: key.algorithm,
  };
}

const shown = (list: readonly string[]): string => `[${list.map((item) => JSON.stringify(item)).join(" ")}]`;

function isComplete(claims: JwtClaims): claims is JwtClaims & ServiceAccountClaims {
  const { aud, exp, "kubernetes.io": about } = claims as Partial<ServiceAccountClaims>;
  return Array.isArray(aud) && typeof exp === "number" && typeof about?.namespace === "string" && typeof about.serviceaccount?.name === "string";
}

function timeError({ exp, nbf, iat }: ServiceAccountClaims, now: number): string | undefined {
  if (nbf * 1000 > now + leewayMs) return "service account token is not valid yet";
  if (exp * 1000 < now - leewayMs) return "service account token has expired";
  return iat * 1000 > now + leewayMs ? "service account token is issued in the future" : undefined;
}

/** A token ends with what it is bound to; one that is being deleted is still good for a moment. */
function boundError({ "kubernetes.io": about }: ServiceAccountClaims, { find, clock }: TokenOptions): string | undefined {
  const { namespace, serviceaccount, pod, secret, node } = about;
  const isGone = ({ metadata }: KubernetesObject): boolean => Boolean(metadata.deletionTimestamp) && Date.parse(metadata.deletionTimestamp ?? "") < clock.now() - leewayMs;
  const account = find("serviceaccounts", namespace, serviceaccount.name);
  if (!account) return `serviceaccounts "${serviceaccount.name}" not found`;
  if (account.metadata.uid !== serviceaccount.uid) return `service account UID (${account.metadata.uid ?? ""}) does not match claim (${serviceaccount.uid ?? ""})`;
  if (isGone(account)) return `service account ${namespace}/${serviceaccount.name} has been deleted`;
  const bound = [
    { kind: "secrets", name: "secret", namespace, to: secret },
    { kind: "pods", name: "pod", namespace, to: pod },
    // A pod's token only tells which node it runs on.
    { kind: "nodes", name: "node", namespace: "", to: pod ? undefined : node },
  ] as const;
  for (const { kind, name, namespace: where, to } of bound) {
    if (!to) continue;
    const object = find(kind, where, to.name);
    if (object && object.metadata.uid !== to.uid) return `${name} UID (${object.metadata.uid ?? ""}) does not match service account ${name} ref claim (${to.uid ?? ""})`;
    if (!object || isGone(object)) return "service account token has been invalidated";
  }
  return undefined;
}
