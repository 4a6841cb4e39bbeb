import { formatDurationMs } from "@coxswain/apimachinery/time";
import { type CachedPod, describePod } from "../objects/cached-pod.js";
import type { ContainerRecord } from "../runtime/container-runtime.js";
import type { StartFailure } from "./container-statuses.js";

/** What is remembered of a container's restarts. */
export interface CrashBackoff {
  readonly waitMs: number;
  readonly updatedAt: number;
}

/** 10 s, doubling to 5 min; a container that ran for 10 min begins anew. Upstream's numbers. */
const initialMs = 10_000;
const maxMs = 300_000;
const forgetMs = 2 * maxMs;

export type BackoffStep =
  | { readonly at: "start"; readonly backoff: CrashBackoff | undefined }
  | { readonly at: "wait"; readonly until: number; readonly failure: StartFailure };

/** Pure: whether a container that exited may start now. The wait counts from the end of its last run. */
export function planRestart(
  pod: CachedPod,
  facts: { latest: ContainerRecord | undefined; backoff: CrashBackoff | undefined; now: number },
): BackoffStep {
  const { latest, now } = facts;
  if (latest?.state !== "exited") return { at: "start", backoff: facts.backoff };
  const finishedAt = latest.finishedAt ?? now;
  const backoff = facts.backoff && finishedAt - facts.backoff.updatedAt <= forgetMs ? facts.backoff : undefined;
  if (backoff && now - finishedAt < backoff.waitMs) {
    const wait = formatDurationMs(backoff.waitMs);
    const message = `back-off ${wait} restarting failed container=${latest.name} pod=${describePod(pod)}`;
    return { at: "wait", until: finishedAt + backoff.waitMs, failure: { reason: "CrashLoopBackOff", message } };
  }
  const waitMs = backoff ? Math.min(backoff.waitMs * 2, maxMs) : initialMs;
  return { at: "start", backoff: { waitMs, updatedAt: now } };
}
