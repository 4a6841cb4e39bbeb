import type { DeepReadonly } from "@coxswain/api";
import type { StatefulSet } from "@coxswain/api/apps/v1";
import type { PersistentVolumeClaim, Pod } from "@coxswain/api/core/v1";
import { cloneJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { controllerReference } from "@coxswain/client/controller";
import { podFromTemplate } from "../pods/pod-from-template.js";
import type { CachedPod } from "../pods/pod-state.js";

/** A StatefulSet as caches hold it. */
export type CachedStatefulSet = DeepReadonly<StatefulSet>;

export const statefulSetKind = { group: "apps", version: "v1", kind: "StatefulSet" };
export const revisionLabel = "controller-revision-hash";
const podNameLabel = "statefulset.kubernetes.io/pod-name";
const podIndexLabel = "apps.kubernetes.io/pod-index";

export const replicasOf = ({ spec }: CachedStatefulSet): number => spec?.replicas ?? 1;
export const startOrdinal = ({ spec }: CachedStatefulSet): number => spec?.ordinals?.start ?? 0;
export const revisionOf = ({ metadata }: CachedPod): string => getOwn(metadata?.labels, revisionLabel) ?? "";

/** The set's name and the number behind it; -1: it has none that counts. */
export function parentAndOrdinal(podName: string): { readonly parent: string; readonly ordinal: number } {
  const dash = podName.lastIndexOf("-");
  const digits = podName.slice(dash + 1);
  if (dash < 0 || !/^[0-9]+$/.test(digits)) return { parent: "", ordinal: -1 };
  const ordinal = Number(digits);
  return { parent: podName.slice(0, dash), ordinal: ordinal < 2 ** 31 ? ordinal : -1 };
}

export const ordinalOf = ({ metadata }: CachedPod): number => parentAndOrdinal(metadata?.name ?? "").ordinal;

export const isMemberOf = (set: CachedStatefulSet, { metadata }: CachedPod): boolean =>
  parentAndOrdinal(metadata?.name ?? "").parent === set.metadata?.name;

export const isInRange = (set: CachedStatefulSet, ordinal: number): boolean =>
  ordinal >= startOrdinal(set) && ordinal < startOrdinal(set) + replicasOf(set);

const podName = ({ metadata }: CachedStatefulSet, ordinal: number): string => `${metadata?.name}-${ordinal}`;

export const claimName = (set: CachedStatefulSet, template: string, ordinal: number): string =>
  `${template}-${podName(set, ordinal)}`;

/** The pod has the name and the label that its ordinal gives it. */
export function hasIdentity(set: CachedStatefulSet, { metadata }: CachedPod): boolean {
  const { parent, ordinal } = parentAndOrdinal(metadata?.name ?? "");
  return (
    ordinal >= 0 &&
    parent === set.metadata?.name &&
    metadata?.name === podName(set, ordinal) &&
    getOwn(metadata?.labels, podNameLabel) === metadata?.name
  );
}

/** The pod mounts the claims that its ordinal gives it. */
export function hasStorage(set: CachedStatefulSet, pod: CachedPod): boolean {
  const ordinal = ordinalOf(pod);
  return (set.spec?.volumeClaimTemplates ?? []).every(({ metadata }) => {
    const volume = pod.spec?.volumes?.find(({ name }) => name === metadata?.name);
    return volume?.persistentVolumeClaim?.claimName === claimName(set, metadata?.name ?? "", ordinal);
  });
}

/** The pod with its identity and storage as they should be. */
export function withIdentity(set: CachedStatefulSet, pod: Pod, ordinal: number): Pod {
  const name = podName(set, ordinal);
  const labels = { ...pod.metadata?.labels, [podNameLabel]: name, [podIndexLabel]: String(ordinal) };
  const templates = (set.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? "");
  const volumes = [
    ...templates.map((template) => ({
      name: template,
      persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
    })),
    ...(pod.spec?.volumes ?? []).filter((volume) => !templates.includes(volume.name)),
  ];
  return {
    ...pod,
    metadata: { ...pod.metadata, name, namespace: set.metadata?.namespace ?? "", labels },
    spec: { ...pod.spec, containers: pod.spec?.containers ?? [], ...(volumes.length > 0 && { volumes }) },
  };
}

/** A pod that does not exist yet, of the template of `set` and the revision of that name. */
export function newPod(set: CachedStatefulSet, ordinal: number, revision: string): Pod {
  const controller = controllerReference({ metadata: set.metadata ?? {} }, statefulSetKind);
  const pod = withIdentity(
    set,
    podFromTemplate(set.spec?.template ?? {}, set.metadata?.name ?? "", controller),
    ordinal,
  );
  return {
    ...pod,
    metadata: { ...pod.metadata, labels: { ...pod.metadata?.labels, [revisionLabel]: revision } },
    spec: {
      ...pod.spec,
      containers: pod.spec?.containers ?? [],
      hostname: podName(set, ordinal),
      ...(set.spec?.serviceName && { subdomain: set.spec.serviceName }),
    },
  };
}

/** The claims of the pod with this ordinal. */
export function claimsOf(set: CachedStatefulSet, ordinal: number): PersistentVolumeClaim[] {
  return (set.spec?.volumeClaimTemplates ?? []).map((template) => {
    const claim = cloneJson(template) as PersistentVolumeClaim;
    const labels = { ...claim.metadata?.labels, ...set.spec?.selector.matchLabels };
    return {
      ...claim,
      metadata: {
        ...claim.metadata,
        name: claimName(set, template.metadata?.name ?? "", ordinal),
        namespace: set.metadata?.namespace ?? "",
        ...(Object.keys(labels).length > 0 && { labels }),
      },
    };
  });
}
