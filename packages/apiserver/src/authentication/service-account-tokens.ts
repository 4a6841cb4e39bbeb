import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Clock } from "@coxswain/runtime/clock";
import type { Soon } from "@coxswain/runtime/soon";
import { type JwtAlgorithm, type JwtClaims, keySet } from "@coxswain/wire/jwt";
import type { UserInfo } from "../request/user-info.js";
import type { TokenEvent } from "./authentication-metrics.js";
import type { TokenAuthenticator, TokenQuestion, Verdict } from "./authenticator.js";
import { isServiceAccountClaims, type ServiceAccountClaims, userOfClaims } from "./service-account-claims.js";
import type { TokenKeys } from "./token-keys.js";
import type { ClaimReader, VerifiedClaims } from "./verified-claims.js";

/** Clocks of others may be ahead or behind by this. */
const leewayMs = 60_000;
/** Programs that read their token once get a year before it ends. */
const extendedSeconds = 365 * 24 * 3600;

/** The objects that tokens are bound to, as they are now. */
export type FindBound = (
  kind: "pods" | "secrets" | "nodes" | "serviceaccounts",
  namespace: string,
  name: string,
) => KubernetesObject | undefined;

export interface TokenOptions {
  /** The first one issues; tokens of the others are still known. */
  readonly issuers: readonly string[];
  /** Tokens for these are good for this server. */
  readonly audiences: readonly string[];
  readonly keys: TokenKeys;
  readonly reader: ClaimReader;
  readonly clock: Pick<Clock, "now">;
  readonly find: FindBound;
  count(event: TokenEvent): void;
  /** Longer lives are cut. @default none are */
  readonly maxExpirationSeconds?: number;
  /** No token lives longer: a signer is never asked for one that would. @default a year, for those that kubelets ask for */
  readonly longestSeconds?: number;
  /** Whether tokens that kubelets ask for live for a year, and warn after an hour. @default true */
  readonly extendExpiration?: boolean;
}

/** Tokens of service accounts: made here, and known again. */
export interface ServiceAccountTokens {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly maxExpirationSeconds: number | undefined;
  readonly extendExpiration: boolean;
  /** How long a token lives that a kubelet renews after an hour. */
  readonly extendedSeconds: number;
  /** Rejects when nobody signs it. */
  issue(claims: Omit<ServiceAccountClaims, "iss">): Soon<string>;
  readonly authenticate: TokenAuthenticator;
  /** As a JSON Web Key Set. */
  keys(): object;
  algorithms(): readonly JwtAlgorithm[];
  /** How long others may keep the keys. */
  maxAgeSeconds(): number;
}

/** What a token proves by itself, cached by token; what may change is checked every time. */
interface ClaimsCheck {
  readonly asked: readonly string[];
  readonly isForAsker: boolean;
  readonly verdict: Verdict;
}

export function createServiceAccountTokens(options: TokenOptions): ServiceAccountTokens {
  const { issuers, keys, reader, extendExpiration = true } = options;
  const issuer = issuers[0] ?? "";
  const users = new WeakMap<JwtClaims, UserInfo>();
  const checkedClaims = new WeakMap<JwtClaims, ClaimsCheck>();

  function checkClaims(claims: JwtClaims, asked: readonly string[]): ClaimsCheck {
    const claimed = audiencesOf(claims);
    const ofToken = claimed.length === 0 ? options.audiences : claimed;
    const audiences = asked.filter((audience) => ofToken.includes(audience));
    if (audiences.length === 0)
      return {
        asked,
        isForAsker: false,
        verdict: { error: `token audiences ${shown(ofToken)} is invalid for the target audiences ${shown(asked)}` },
      };
    if (!isServiceAccountClaims(claims))
      return { asked, isForAsker: true, verdict: { error: "resource name may not be empty" } };
    let user = users.get(claims);
    if (!user) users.set(claims, (user = userOfClaims(claims)));
    return { asked, isForAsker: true, verdict: { user, audiences } };
  }

  function check(token: string, found: VerifiedClaims | undefined, question: TokenQuestion): Verdict | undefined {
    if (!found || "error" in found) return found && { error: found.error };
    const { claims } = found;
    let checked = checkedClaims.get(claims);
    if (checked?.asked !== question.audiences)
      checkedClaims.set(claims, (checked = checkClaims(claims, question.audiences)));
    if (!checked.isForAsker) return checked.verdict;
    const error = timeError(claims, options.clock.now());
    if (error !== undefined) {
      reader.forget(token);
      return { error };
    }
    if (!isServiceAccountClaims(claims)) return checked.verdict;
    const problem = boundError(claims, options);
    if (problem !== undefined) return { error: problem };
    noteAge(claims, question, options);
    return checked.verdict;
  }

  const checkLater = async (
    token: string,
    found: Promise<VerifiedClaims | undefined>,
    question: TokenQuestion,
  ): Promise<Verdict | undefined> => check(token, await found, question);

  return {
    issuer,
    audiences: options.audiences,
    maxExpirationSeconds: options.maxExpirationSeconds,
    extendExpiration,
    extendedSeconds: Math.min(extendedSeconds, options.longestSeconds ?? extendedSeconds),
    issue: (claims) => keys.sign({ ...claims, iss: issuer }),
    authenticate(token, question) {
      const found = reader.read(token, issuers);
      return found instanceof Promise ? checkLater(token, found, question) : check(token, found, question);
    },
    keys: () => keySet(keys.published()),
    algorithms: () => [...new Set(keys.published().map(({ algorithm }) => algorithm))].sort(),
    maxAgeSeconds: () => keys.maxAgeSeconds(),
  };
}

/** One name may stand alone. */
export function audiencesOf({ aud }: JwtClaims): readonly string[] {
  if (typeof aud === "string") return [aud];
  return Array.isArray(aud) ? aud.filter((one): one is string => typeof one === "string") : [];
}

export const shown = (list: readonly string[]): string => `[${list.map((item) => JSON.stringify(item)).join(" ")}]`;

function timeError({ exp, nbf, iat }: JwtClaims, now: number): string | undefined {
  if (typeof nbf === "number" && secondsOf(nbf) * 1000 > now + leewayMs)
    return "service account token is not valid yet";
  if (typeof exp === "number" && secondsOf(exp) * 1000 < now - leewayMs) return "service account token has expired";
  return typeof iat === "number" && secondsOf(iat) * 1000 > now + leewayMs
    ? "service account token is issued in the future"
    : undefined;
}

/** Go's integers have 64 bits: what is beyond is before all time. */
const secondsOf = (claim: number): number => (Math.abs(claim) < 2 ** 63 ? Math.trunc(claim) : -(2 ** 63));

/** Whose program has not taken the new token that it was given is to be found in the audit log. */
function noteAge(
  { sub, "kubernetes.io": { warnafter } }: ServiceAccountClaims,
  question: TokenQuestion,
  { clock, count }: TokenOptions,
): void {
  if (!warnafter) return;
  const late = Math.floor(clock.now() / 1000) - warnafter;
  count(late > 0 ? "stale" : "valid");
  if (late > 0)
    question.annotate("authentication.k8s.io/stale-token", `subject: ${sub}, seconds after warning threshold: ${late}`);
}

const isGone = ({ metadata: { deletionTimestamp } }: KubernetesObject, clock: TokenOptions["clock"]): boolean =>
  Boolean(deletionTimestamp) && Date.parse(deletionTimestamp ?? "") < clock.now() - leewayMs;

/** A token ends with what it is bound to; one that is being deleted is still good for a moment. */
function boundError(
  { "kubernetes.io": about }: ServiceAccountClaims,
  { find, clock }: Pick<TokenOptions, "find" | "clock">,
): string | undefined {
  const { namespace, serviceaccount, pod, secret, node } = about;
  const account = find("serviceaccounts", namespace, serviceaccount.name);
  if (!account) return `serviceaccounts "${serviceaccount.name}" not found`;
  if (account.metadata.uid !== serviceaccount.uid)
    return `service account UID (${account.metadata.uid ?? ""}) does not match claim (${serviceaccount.uid ?? ""})`;
  if (isGone(account, clock)) return `service account ${namespace}/${serviceaccount.name} has been deleted`;
  if (!secret && !pod && !node) return undefined;
  const bound = [
    { kind: "secrets", name: "secret", namespace, to: secret },
    { kind: "pods", name: "pod", namespace, to: pod },
    // A pod's token only names the node it runs on.
    { kind: "nodes", name: "node", namespace: "", to: pod ? undefined : node },
  ] as const;
  for (const { kind, name, namespace: where, to } of bound) {
    if (!to) continue;
    const object = find(kind, where, to.name);
    if (object && object.metadata.uid !== to.uid)
      return `${name} UID (${object.metadata.uid ?? ""}) does not match service account ${name} ref claim (${to.uid ?? ""})`;
    if (!object || isGone(object, clock)) return "service account token has been invalidated";
  }
  return undefined;
}
