import type { Pod } from "@coxswain/api/core/v1";
import { splitObjectKey } from "@coxswain/apimachinery/meta";
import { isNotFound } from "@coxswain/apimachinery/status";
import { formatTime } from "@coxswain/apimachinery/time";
import type { Client } from "@coxswain/client";
import type { EventRecorder } from "@coxswain/client/events";
import type { ReadonlyIndexer } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import type { Clock } from "@coxswain/runtime/clock";
import { type CachedPod, podCondition } from "../pods/pod-state.js";
import type { CachedResourceClaim } from "../resource-claims/claim-user.js";
import type { RecentUids } from "../resource-claims/recent-uids.js";
import type { EvictionMetrics } from "./metrics.js";
import { type DeviceEviction, type EvictionSources, podEviction } from "./plan.js";
import type { RuleStatus } from "./rule-status.js";

/** What the work on all pods shares. */
export interface TaintEvictionWork {
  readonly client: Client;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly metrics: EvictionMetrics;
  readonly pods: ReadonlyIndexer<CachedPod>;
  readonly claims: ReadonlyIndexer<CachedResourceClaim>;
  readonly sources: EvictionSources;
  /** Evictions to come by pod; of those there is an event when they are cancelled. */
  readonly scheduled: Map<string, { readonly uid: string }>;
  readonly evicted: RecentUids;
  /** Where there are DeviceTaintRules. */
  readonly ruleStatus: RuleStatus | undefined;
}

/** "pod:" and a key, or "rule:" and a name. */
export async function reconcileEviction(work: TaintEvictionWork, key: string): Promise<WorkResult> {
  if (key.startsWith("rule:")) return work.ruleStatus?.update(key.slice("rule:".length));
  const podKey = key.slice("pod:".length);
  const pod = work.pods.getByKey(podKey);
  const uid = pod?.metadata?.uid ?? "";
  if (!pod) return void work.scheduled.delete(podKey);
  const eviction = evictionOf(work, pod);
  if (!eviction) {
    if (work.scheduled.delete(podKey)) record(work, podKey, uid, "Cancelling deletion");
    return;
  }
  if (work.evicted.has(uid)) return;
  work.scheduled.set(podKey, { uid });
  for (const rule of eviction.ruleUids) work.ruleStatus?.soon(rule);
  const waitMs = eviction.atMs - work.clock.now();
  if (waitMs > 0) return { requeueAfterMs: waitMs };
  if (await evict(work, { key: podKey, uid, onEvict: () => record(work, podKey, uid, "Marking for deletion") })) {
    work.metrics.evicted((work.clock.now() - eviction.atMs) / 1000);
    for (const rule of eviction.ruleUids) work.ruleStatus?.countEviction(rule);
  }
  work.scheduled.delete(podKey);
  work.evicted.add(uid);
}

/** Marks the pod as disrupted, so that a Job does not count it as failed, and deletes it; false: it is gone or going. */
async function evict(
  { client, clock }: TaintEvictionWork,
  { key, uid, onEvict }: { key: string; uid: string; onEvict(): void },
): Promise<boolean> {
  const { namespace, name: podName } = splitObjectKey(key) ?? { namespace: "", name: "" };
  const pods = client.core.v1.pods(namespace);
  try {
    const pod = await pods.get(podName);
    if (pod.metadata?.uid !== uid || pod.metadata.deletionTimestamp) return false;
    onEvict();
    const before = podCondition(pod, "DisruptionTarget");
    await pods.subresource<Pod>("status").patch(podName, {
      strategic: {
        metadata: { uid },
        status: {
          conditions: [
            {
              type: "DisruptionTarget",
              status: "True",
              lastTransitionTime:
                before?.status === "True" ? (before.lastTransitionTime ?? null) : formatTime(clock.now()),
              reason: "DeletionByDeviceTaintManager",
              message: "Device Taint manager: deleting due to NoExecute taint",
            },
          ],
        },
      },
    });
    await pods.delete(podName, { preconditions: { uid } });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

export const evictionOf = (
  { sources, claims }: Pick<TaintEvictionWork, "sources" | "claims">,
  pod: CachedPod,
  from = sources,
): DeviceEviction | undefined =>
  podEviction(pod, (claim) => claims.getByKey(`${pod.metadata?.namespace}/${claim}`), from);

const record = ({ recorder }: TaintEvictionWork, key: string, uid: string, message: string): void =>
  recorder.event(
    { apiVersion: "v1", kind: "Pod", ...splitObjectKey(key), uid },
    { type: "Normal", reason: "DeviceTaintManagerEviction", message },
  );
