import type { PodCondition } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import type { Client } from "@coxswain/client";
import { reasonHeader } from "@coxswain/client/work";
import type { Runtime } from "@coxswain/runtime";
import { namespaceOf, type Pod } from "./objects.js";

export interface PodStatusChange {
  readonly condition?: Omit<PodCondition, "lastTransitionTime" | "observedGeneration">;
  /** "": none. Undefined: as it is. */
  readonly nominatedNodeName?: string;
  /** More than the condition has, for the history of the pod. */
  readonly reason?: () => string;
}

/** The patch that brings a pod's status there; undefined where it is there already. */
export function planStatusPatch(pod: Pod, change: PodStatusChange, now: number): object | undefined {
  const status: Record<string, unknown> = {};
  const { condition, nominatedNodeName } = change;
  if (condition) {
    const old = pod.status?.conditions?.find(({ type }) => type === condition.type);
    const same =
      old && old.status === condition.status && old.reason === condition.reason && old.message === condition.message;
    if (!same) {
      const generation = pod.metadata?.generation;
      status["conditions"] = [
        {
          ...condition,
          ...(generation !== undefined && { observedGeneration: generation }),
          lastTransitionTime: old?.status === condition.status ? old.lastTransitionTime : formatTime(now),
        },
      ];
    }
  }
  if (nominatedNodeName !== undefined && (pod.status?.nominatedNodeName ?? "") !== nominatedNodeName)
    status["nominatedNodeName"] = nominatedNodeName === "" ? null : nominatedNodeName;
  return Object.keys(status).length === 0 ? undefined : { status };
}

export interface PatchStatusOptions {
  readonly client: Client;
  readonly runtime: Runtime;
  readonly signal?: AbortSignal;
}

export async function patchPodStatus(
  pod: Pod,
  change: PodStatusChange,
  { client, runtime, signal }: PatchStatusOptions,
): Promise<void> {
  const patch = planStatusPatch(pod, change, runtime.clock.now());
  if (patch === undefined) return;
  await client.core.v1
    .pods(namespaceOf(pod))
    .subresource<object>("status")
    .patch(
      pod.metadata?.name ?? "",
      { strategic: patch as Record<string, never> },
      {
        ...(signal && { signal }),
        ...(change.reason && { headers: { [reasonHeader]: change.reason() } }),
      },
    );
}
