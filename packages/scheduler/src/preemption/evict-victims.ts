import { hasReason } from "@coxswain/apimachinery";
import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import { namespaceOf, type Pod, schedulerNameOf, uidOf } from "../pod/objects.js";
import type { PodInfo } from "../pod/pod-info.js";
import { patchPodStatus } from "../pod/pod-status.js";

export interface EvictionDeps {
  readonly client: Client;
  readonly runtime: Runtime;
  /** The name of the plugin that preempts. */
  readonly plugin: string;
  nominatedPods(nodeName: string): readonly PodInfo[];
  /** Ends the binding of a pod that is not bound yet. */
  cancelBinding(pod: Pod, plugin: string): boolean;
  event(pod: Pod, event: { type: "Normal"; reason: string; action: string; note: string; related: Pod }): void;
}

/** Takes one pod off its node for another: by its condition, then by its deletion. */
export async function evictVictim(
  deps: EvictionDeps,
  { victim, preemptor, nodeName }: { victim: Pod; preemptor: Pod; nodeName: string },
): Promise<void> {
  let note = `Preempted by pod ${uidOf(preemptor)} on node ${nodeName}`;
  if (deps.cancelBinding(victim, deps.plugin)) note += " (in kube-scheduler memory).";
  else {
    try {
      await patchPodStatus(
        victim,
        {
          condition: {
            type: "DisruptionTarget",
            status: "True",
            reason: "PreemptionByScheduler",
            message: `${schedulerNameOf(preemptor)}: preempting to accommodate a higher priority pod`,
          },
        },
        deps,
      );
      await deps.client.core.v1.pods(namespaceOf(victim)).delete(victim.metadata?.name ?? "");
    } catch (error) {
      // Somebody was faster.
      if (hasReason(error, "NotFound")) return;
      throw error;
    }
  }
  deps.event(victim, { type: "Normal", reason: "Preempted", action: "Preempting", note, related: preemptor });
}

/** Pods of lower priority were promised the same room: they have to look again. */
export async function clearLowerNominations(deps: EvictionDeps, preemptor: PodInfo, nodeName: string): Promise<void> {
  for (const { pod, priority } of deps.nominatedPods(nodeName))
    if (priority < preemptor.priority && pod.status?.nominatedNodeName)
      await patchPodStatus(pod, { nominatedNodeName: "" }, deps);
}
