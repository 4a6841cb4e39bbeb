import { ownEntries } from "@coxswain/apimachinery/own";
import { type CachedContainer, type CachedPod, nameOf, namespaceOf, uidOf } from "../objects/cached-pod.js";

/**
 * What sandboxes and containers are marked with: the only record of whose they are, which a kubelet that starts again reads.
 * Names and values are upstream's (`pkg/kubelet/kuberuntime/labels.go`).
 */
export const labelNames = {
  podName: "io.kubernetes.pod.name",
  podNamespace: "io.kubernetes.pod.namespace",
  podUid: "io.kubernetes.pod.uid",
  containerName: "io.kubernetes.container.name",
} as const;

export const annotationNames = {
  hash: "io.kubernetes.container.hash",
  restartCount: "io.kubernetes.container.restartCount",
  terminationMessagePath: "io.kubernetes.container.terminationMessagePath",
  terminationMessagePolicy: "io.kubernetes.container.terminationMessagePolicy",
  preStopHandler: "io.kubernetes.container.preStopHandler",
  ports: "io.kubernetes.container.ports",
  deletionGracePeriod: "io.kubernetes.pod.deletionGracePeriod",
  terminationGracePeriod: "io.kubernetes.pod.terminationGracePeriod",
} as const;

const identity = (pod: CachedPod): [string, string][] => [
  [labelNames.podName, nameOf(pod)],
  [labelNames.podNamespace, namespaceOf(pod)],
  [labelNames.podUid, uidOf(pod)],
];

/** The pod's own labels, and whose they are. */
export const podLabels = (pod: CachedPod): Map<string, string> =>
  new Map([...ownEntries(pod.metadata?.labels ?? {}), ...identity(pod)]);

export const podAnnotations = (pod: CachedPod): Map<string, string> =>
  new Map(ownEntries(pod.metadata?.annotations ?? {}));

export const containerLabels = (pod: CachedPod, name: string): Map<string, string> =>
  new Map([...identity(pod), [labelNames.containerName, name]]);

export interface AnnotatedRun {
  readonly specHash: string;
  readonly attempt: number;
  readonly terminationMessagePath: string;
  readonly terminationMessagePolicy: string;
}

export function containerAnnotations(
  pod: CachedPod,
  container: CachedContainer | undefined,
  run: AnnotatedRun,
): Map<string, string> {
  const annotations = new Map<string, string>([
    [annotationNames.hash, run.specHash],
    [annotationNames.restartCount, String(run.attempt)],
    [annotationNames.terminationMessagePath, run.terminationMessagePath],
    [annotationNames.terminationMessagePolicy, run.terminationMessagePolicy],
  ]);
  const set = (name: string, value: string | number | undefined): void => {
    if (value !== undefined) annotations.set(name, String(value));
  };
  set(annotationNames.deletionGracePeriod, pod.metadata?.deletionGracePeriodSeconds);
  set(annotationNames.terminationGracePeriod, pod.spec?.terminationGracePeriodSeconds);
  const preStop = container?.lifecycle?.preStop;
  if (preStop) set(annotationNames.preStopHandler, JSON.stringify(preStop));
  if (container?.ports && container.ports.length > 0) set(annotationNames.ports, JSON.stringify(container.ports));
  return annotations;
}

/** What a container's annotations contain about its run; of containers that others made, what there is. */
export function readAnnotations(annotations: ReadonlyMap<string, string>): AnnotatedRun {
  const attempt = Number(annotations.get(annotationNames.restartCount) ?? 0);
  return {
    specHash: annotations.get(annotationNames.hash) ?? "",
    attempt: Number.isSafeInteger(attempt) && attempt >= 0 ? attempt : 0,
    terminationMessagePath: annotations.get(annotationNames.terminationMessagePath) ?? "",
    terminationMessagePolicy: annotations.get(annotationNames.terminationMessagePolicy) ?? "",
  };
}

/** Ours: the resources that a container was created with, as JSON. The kernel does not keep requests of memory. */
export const resourcesAnnotation = "coxswain.dev/container.resources";

/** Ours, on sandboxes: the node whose kubelet made them. */
export const nodeAnnotation = "coxswain.dev/node";
