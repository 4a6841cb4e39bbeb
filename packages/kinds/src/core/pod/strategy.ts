import type { DeepReadonly } from "@coxswain/api";
import type { PodStatus, VolumeMountStatus } from "@coxswain/api/core/v1";
import { qosClass } from "@coxswain/api/pods";
import { equalJson } from "@coxswain/apimachinery/json";
import { formatTime } from "@coxswain/apimachinery/time";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import { dropDisabledPodSpecFields } from "../../pod-spec/disabled-fields.js";
import { setAppArmorFields } from "./app-armor.js";
import { mergeLabelKeys } from "./label-keys.js";
import { checkPodStatusUpdate } from "./status-validation.js";
import type { StoredPod } from "./stored.js";
import { checkPod } from "./validation.js";
import { checkPodUpdate } from "./validation-update.js";
import { podStatusWarnings, podWarnings } from "./warnings.js";

export const podStrategy: Strategy<StoredPod> = {
  resetFields: [["status"]],
  prepareForCreate(pod, { gates, now, warn = () => {} }) {
    pod.metadata.generation = 1;
    // The class is the one part of a status that upstream takes from the client.
    pod.status = { phase: "Pending", qosClass: pod.status.qosClass || qosClass(pod.spec) };
    dropDisabledPodSpecFields(pod.spec, undefined, gates);
    if ((pod.spec.schedulingGates?.length ?? 0) > 0) {
      pod.status.conditions = [
        {
          type: "PodScheduled",
          status: "False",
          lastTransitionTime: formatTime(now),
          reason: "SchedulingGated",
          message: "Scheduling is blocked due to non-empty scheduling gates",
        },
      ];
    }
    mergeLabelKeys(pod, gates);
    setAppArmorFields(pod, warn);
  },
  validateCreate: checkPod,
  warningsOnCreate: (pod) => podWarnings(pod),
  prepareForUpdate(pod, old, { gates }) {
    pod.status = structuredClone(old.status) as StoredPod["status"];
    dropDisabledPodSpecFields(pod.spec, old.spec, gates);
    if (!equalJson(pod.spec, old.spec)) pod.metadata.generation = (pod.metadata.generation ?? 0) + 1;
  },
  validateUpdate: checkPodUpdate,
  /** A pod on no node, or one that has ended, has nobody to wait for. */
  gracePeriod({ spec, status }, requested) {
    if (!spec.nodeName || status.phase === "Failed" || status.phase === "Succeeded") return 0;
    const period = requested ?? spec.terminationGracePeriodSeconds ?? 0;
    return period < 0 ? 1 : period;
  },
};

export const podStatusStrategy: UpdateStrategy<StoredPod> = {
  resetFields: [["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"]],
  prepareForUpdate(pod, old, { gates }) {
    pod.spec = structuredClone(old.spec) as StoredPod["spec"];
    delete pod.metadata.deletionTimestamp;
    if (old.metadata.ownerReferences)
      pod.metadata.ownerReferences = structuredClone(old.metadata.ownerReferences) as NonNullable<
        StoredPod["metadata"]["ownerReferences"]
      >;
    else delete pod.metadata.ownerReferences;
    if (!pod.status.qosClass && old.status.qosClass) pod.status.qosClass = old.status.qosClass;
    keepObservedGenerations(pod, old.status);
    if (
      !gates.enabled("ImageVolumeWithDigest") &&
      !mountStatusesOf(old.status).some(({ volumeStatus }) => volumeStatus)
    ) {
      for (const mount of mountStatusesOf(pod.status)) delete mount.volumeStatus;
    }
  },
  validateUpdate: checkPodStatusUpdate,
  warningsOnUpdate: (pod) => podStatusWarnings(pod),
};

const mountStatusesOf = (status: DeepReadonly<PodStatus>): VolumeMountStatus[] =>
  [
    ...(status.containerStatuses ?? []),
    ...(status.initContainerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ].flatMap(({ volumeMounts = [] }) => volumeMounts as VolumeMountStatus[]);

/** A client that does not know observedGeneration does not clear it. Conditions of one type are matched in order. */
function keepObservedGenerations(
  { status }: StoredPod,
  old: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly observedGeneration?: number }[];
  },
): void {
  if (!status.observedGeneration && old.observedGeneration) status.observedGeneration = old.observedGeneration;
  const before = new Map<string, number[]>();
  for (const { type, observedGeneration } of old.conditions ?? [])
    before.set(type, [...(before.get(type) ?? []), observedGeneration ?? 0]);
  for (const condition of status.conditions ?? []) {
    const generation = before.get(condition.type)?.shift();
    if (!condition.observedGeneration && generation) condition.observedGeneration = generation;
  }
}
