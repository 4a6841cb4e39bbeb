import type { CachedContainer, CachedPod } from "../objects/cached-pod.js";
import type { KillReason } from "./action-facts.js";

/** Containers get at least this long to end, in seconds. */
export const leastGraceSeconds = 2;

/** Seconds that a pod has to end: from its deletion, else from its spec. */
export const graceOf = (pod: CachedPod): number =>
  pod.metadata?.deletionGracePeriodSeconds ?? pod.spec?.terminationGracePeriodSeconds ?? 30;

/** As `graceOf`; a container killed for a probe has the probe's own grace. */
export function graceOfKill(pod: CachedPod, container: CachedContainer, reason: KillReason | undefined): number {
  if (pod.metadata?.deletionGracePeriodSeconds !== undefined) return pod.metadata.deletionGracePeriodSeconds;
  const probe =
    reason === "liveness" ? container.livenessProbe : reason === "startup" ? container.startupProbe : undefined;
  return probe?.terminationGracePeriodSeconds ?? graceOf(pod);
}
