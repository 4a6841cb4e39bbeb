import type * as core from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";

/** Objects as caches hold them: shared, and never changed. */
export type Pod = DeepReadonly<core.Pod>;
export type Container = DeepReadonly<core.Container>;
export type Node = DeepReadonly<core.Node>;
export type Taint = DeepReadonly<core.Taint>;
export type NodeSelectorTerm = DeepReadonly<core.NodeSelectorTerm>;
export type PodAffinityTerm = DeepReadonly<core.PodAffinityTerm>;
export type WeightedPodAffinityTerm = DeepReadonly<core.WeightedPodAffinityTerm>;

/** What schedulers know an object by: namespace and name. */
export const objectKey = (object: {
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}): string => `${object.metadata?.namespace ?? ""}/${object.metadata?.name ?? ""}`;

export const uidOf = (pod: Pod): string => pod.metadata?.uid ?? "";
export const namespaceOf = (pod: Pod): string => pod.metadata?.namespace ?? "";
export const priorityOf = (pod: Pod): number => pod.spec?.priority ?? 0;
/** A scheduler's name, "default-scheduler" where the pod has none. */
export const schedulerNameOf = (pod: Pod): string => pod.spec?.schedulerName || "default-scheduler";
