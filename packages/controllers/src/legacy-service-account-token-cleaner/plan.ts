import { getOwn } from "@coxswain/apimachinery/own";
import { formatTime, parseTimeMs } from "@coxswain/apimachinery/time";
import { accountOf, type CachedSecret, type CachedServiceAccount, tokenType } from "../service-account-token/plan.js";

export const lastUsedLabel = "kubernetes.io/legacy-token-last-used";
export const invalidSinceLabel = "kubernetes.io/legacy-token-invalid-since";
const day = 86_400_000;

export type TokenPlan =
  | { readonly kind: "keep" }
  | { readonly kind: "invalidate"; readonly since: string }
  | { readonly kind: "delete" };

/** A day in UTC, "2026-01-31"; undefined for anything else. */
const dayOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseTimeMs(`${text}T00:00:00Z`) : undefined;

const dayText = (ms: number): string => formatTime(ms).slice(0, 10);

/** Pure: whether the use of tokens has been tracked for long enough, given the day on which that began. */
export function isTrackedLongEnough(
  since: string | undefined,
  { nowMs, periodMs }: { nowMs: number; periodMs: number },
): boolean {
  const began = dayOf(since);
  // The whole first day may have passed before.
  return began !== undefined && nowMs >= began + day + periodMs;
}

export interface TokenInputs {
  /** Of the account that the secret names. */
  readonly account: CachedServiceAccount | undefined;
  /** Whether a pod refers to the secret. */
  readonly isMounted: () => boolean;
  readonly nowMs: number;
  /** So long it was not used, in milliseconds. */
  readonly periodMs: number;
}

/**
 * Pure: a token that was generated for an account (those that people make are not listed there), and that nobody has used for so
 * long, is marked as invalid, and deleted when nobody has used it for as long again.
 */
export function planToken(secret: CachedSecret, { account, isMounted, nowMs, periodMs }: TokenInputs): TokenPlan {
  const { name, labels, creationTimestamp, deletionTimestamp } = secret.metadata ?? {};
  const keep = { kind: "keep" } as const;
  const created = creationTimestamp ? parseTimeMs(creationTimestamp) : undefined;
  const before = nowMs - periodMs;
  if (secret.type !== tokenType || deletionTimestamp || created === undefined || created >= before) return keep;
  const lastUsed = getOwn(labels, lastUsedLabel);
  if (lastUsed !== undefined && (dayOf(lastUsed) === undefined || lastUsed >= dayText(before))) return keep;
  const { uid } = accountOf(secret);
  const isOwn = account !== undefined && (uid === "" || account.metadata?.uid === uid);
  if (!isOwn || !account.secrets?.some((reference) => reference.name === name) || isMounted()) return keep;
  const invalidSince = getOwn(labels, invalidSinceLabel);
  if (invalidSince === undefined || dayOf(invalidSince) === undefined)
    return { kind: "invalidate", since: dayText(nowMs) };
  return invalidSince >= dayText(before) ? keep : { kind: "delete" };
}
