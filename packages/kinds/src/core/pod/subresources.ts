import type { DeepReadonly } from "@coxswain/api";
import type { Container } from "@coxswain/api/core/v1";
import { cloneJson, equalJson } from "@coxswain/apimachinery/json";
import type { StrategyContext, UpdateStrategy } from "../../definition/strategy.js";
import { dropDisabledPodSpecFields } from "../../pod-spec/disabled-fields.js";
import { checkEphemeralContainersUpdate } from "./ephemeral-containers-validation.js";
import { checkPodResize } from "./resize-validation.js";
import type { StoredPod } from "./stored.js";

const keptMetadata = [
  "deletionTimestamp",
  "generation",
  "selfLink",
  "labels",
  "annotations",
  "finalizers",
  "ownerReferences",
] as const;

/** All but `changed` is as it was; managed fields have been counted already. */
function keepAllBut(pod: StoredPod, old: DeepReadonly<StoredPod>, changed: Partial<StoredPod["spec"]>): void {
  const stored = cloneJson(old) as StoredPod;
  pod.status = stored.status;
  pod.spec = { ...stored.spec, ...changed };
  for (const [member, value] of Object.entries(changed))
    if (value === undefined) delete pod.spec[member as keyof typeof pod.spec];
  const metadata: Record<string, unknown> = pod.metadata as Record<string, unknown>;
  for (const member of keptMetadata) {
    if (stored.metadata[member] === undefined) delete metadata[member];
    else metadata[member] = stored.metadata[member];
  }
}

function countGeneration(pod: StoredPod, old: DeepReadonly<StoredPod>): void {
  if (!equalJson(pod.spec, old.spec)) pod.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

/** Where debug containers are added to a pod. Nothing is reset for managed fields: upstream counts what was sent, whatever becomes of it. */
export const ephemeralContainersStrategy: UpdateStrategy<StoredPod> = {
  resetFields: [],
  prepareForUpdate(pod, old, { gates }) {
    keepAllBut(pod, old, { ephemeralContainers: pod.spec.ephemeralContainers } as Partial<StoredPod["spec"]>);
    dropDisabledPodSpecFields(pod.spec, old.spec, gates);
    countGeneration(pod, old);
  },
  validateUpdate: checkEphemeralContainersUpdate,
};

/** Where a running pod gets more or less CPU and memory. */
export const resizeStrategy: UpdateStrategy<StoredPod> = {
  resetFields: [],
  prepareForUpdate(pod, old, context) {
    keepOnlyResize(pod, old, context);
    dropDisabledPodSpecFields(pod.spec, old.spec, context.gates);
    countGeneration(pod, old);
  },
  validateUpdate: checkPodResize,
};

/** When containers were added or removed nothing is restored: validation refuses that change. */
function keepOnlyResize(pod: StoredPod, old: DeepReadonly<StoredPod>, { gates }: StrategyContext): void {
  const { spec } = pod;
  if (
    (spec.containers?.length ?? 0) !== (old.spec.containers?.length ?? 0) ||
    (spec.initContainers?.length ?? 0) !== (old.spec.initContainers?.length ?? 0)
  )
    return;
  const resources = gates.enabled("InPlacePodLevelResourcesVerticalScaling") ? { resources: spec.resources } : {};
  const changed = {
    containers: onlyResized(spec.containers, old.spec.containers),
    initContainers: onlyResized(spec.initContainers, old.spec.initContainers),
    ...resources,
  };
  keepAllBut(pod, old, changed as Partial<StoredPod["spec"]>);
}

function onlyResized(
  next: Container[] | undefined,
  old: readonly DeepReadonly<Container>[] | undefined,
): Container[] | undefined {
  if (!next?.length || next.some(({ name }, i) => old?.[i]?.name !== name)) return next;
  return next.map(({ resources, resizePolicy }, i) => {
    const container: Partial<Container> = { ...(cloneJson(old?.[i]) as Container), resources: resources ?? {} };
    if (resizePolicy) container.resizePolicy = resizePolicy;
    else delete container.resizePolicy;
    return container as Container;
  });
}
