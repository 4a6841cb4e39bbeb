import type { Container, EphemeralContainer, Pod, PodSpec } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn } from "@coxswain/apimachinery/own";

/** A pod as caches hold it: shared, never changed. */
export type CachedPod = DeepReadonly<Pod>;
export type CachedSpec = DeepReadonly<PodSpec>;
export type CachedContainer = DeepReadonly<Container>;

export const uidOf = (pod: CachedPod): string => pod.metadata?.uid ?? "";
export const nameOf = (pod: CachedPod): string => pod.metadata?.name ?? "";
export const namespaceOf = (pod: CachedPod): string => pod.metadata?.namespace ?? "";

/** As upstream names a pod in messages (pkg/kubelet/util/format/pod.go, Pod): name_namespace(uid). */
export const describePod = (pod: CachedPod): string => `${nameOf(pod)}_${namespaceOf(pod)}(${uidOf(pod)})`;

export const initContainersOf = (pod: CachedPod): readonly CachedContainer[] => pod.spec?.initContainers ?? [];
export const containersOf = (pod: CachedPod): readonly CachedContainer[] => pod.spec?.containers ?? [];

/** Ephemeral containers have the fields of containers, and a target. */
export const ephemeralContainersOf = (pod: CachedPod): readonly DeepReadonly<EphemeralContainer>[] =>
  pod.spec?.ephemeralContainers ?? [];

export function findContainer(pod: CachedPod, name: string): CachedContainer | undefined {
  const isIt = (container: { readonly name: string }): boolean => container.name === name;
  return (
    containersOf(pod).find(isIt) ??
    initContainersOf(pod).find(isIt) ??
    (ephemeralContainersOf(pod).find(isIt) as CachedContainer | undefined)
  );
}

/** An init container that goes on running beside the others: a sidecar. */
export const isSidecar = (container: CachedContainer): boolean => container.restartPolicy === "Always";

export const isTerminalPhase = (phase: string | undefined): boolean => phase === "Succeeded" || phase === "Failed";

const staticSource = "kubernetes.io/config.source";
const mirrorKey = "kubernetes.io/config.mirror";

/** Read from a file of the node, not from the API server. */
export const isStaticPod = (pod: CachedPod): boolean => {
  const source = getOwn(pod.metadata?.annotations, staticSource);
  return source !== undefined && source !== "api";
};

/** The API server's image of a static pod. */
export const isMirrorPod = (pod: CachedPod): boolean => getOwn(pod.metadata?.annotations, mirrorKey) !== undefined;
