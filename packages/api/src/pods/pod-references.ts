import type { Container, Pod, Volume } from "../gen/types/core-v1.js";
import type { DeepReadonly } from "../types/index.js";

export type ReferenceType = "secret" | "configmap" | "pvc" | "serviceaccount" | "resourceclaim";

export interface Reference {
  readonly type: ReferenceType;
  readonly name: string;
}

type ReadonlyPod = DeepReadonly<Pod>;

/** Pure: the objects that a pod refers to and its node must read; all of them are in the pod's namespace, and some may be there twice. */
export function podReferences(pod: ReadonlyPod): Reference[] {
  const { spec } = pod;
  const containers = [
    ...(spec?.initContainers ?? []),
    ...(spec?.containers ?? []),
    ...(spec?.ephemeralContainers ?? []),
  ] as DeepReadonly<Container>[];
  const found: Reference[] = [
    { type: "serviceaccount", name: spec?.serviceAccountName ?? "" },
    ...(spec?.imagePullSecrets ?? []).map(({ name }) => ({ type: "secret", name: name ?? "" }) as const),
    ...containers.flatMap(containerReferences),
    ...(spec?.volumes ?? []).flatMap((volume) => volumeReferences(pod, volume)),
    ...claimNames(pod).map((name) => ({ type: "resourceclaim", name }) as const),
  ];
  return found.filter(({ name }) => name !== "");
}

function containerReferences({ env = [], envFrom = [] }: DeepReadonly<Container>): Reference[] {
  return [
    ...envFrom.flatMap(({ secretRef, configMapRef }) => [
      ...named("secret", secretRef?.name),
      ...named("configmap", configMapRef?.name),
    ]),
    ...env.flatMap(({ valueFrom }) => [
      ...named("secret", valueFrom?.secretKeyRef?.name),
      ...named("configmap", valueFrom?.configMapKeyRef?.name),
    ]),
  ];
}

function volumeReferences(pod: ReadonlyPod, volume: DeepReadonly<Volume>): Reference[] {
  const {
    azureFile,
    cephfs,
    cinder,
    flexVolume,
    projected,
    rbd,
    secret,
    scaleIO,
    iscsi,
    storageos,
    csi,
    configMap,
    persistentVolumeClaim,
    ephemeral,
  } = volume;
  const claim = persistentVolumeClaim
    ? persistentVolumeClaim.claimName
    : ephemeral
      ? `${pod.metadata?.name ?? ""}-${volume.name}`
      : undefined;
  return [
    ...named("secret", azureFile?.secretName ?? secret?.secretName ?? csi?.nodePublishSecretRef?.name),
    ...[cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos].flatMap((source) =>
      named("secret", source?.secretRef?.name),
    ),
    ...(projected?.sources ?? []).flatMap((source) => [
      ...named("secret", source.secret?.name),
      ...named("configmap", source.configMap?.name),
    ]),
    ...named("configmap", configMap?.name),
    ...named("pvc", claim),
  ];
}

const named = (type: ReferenceType, name: string | undefined): Reference[] =>
  name === undefined ? [] : [{ type, name }];

/** Claims that are there: one made of a template stands in the status once it is made. */
function claimNames({ spec, status }: ReadonlyPod): string[] {
  const made = (spec?.resourceClaims ?? []).map(({ name, resourceClaimName, resourceClaimTemplateName }) => {
    if (resourceClaimName !== undefined) return resourceClaimName;
    return resourceClaimTemplateName === undefined
      ? ""
      : (status?.resourceClaimStatuses?.find((each) => each.name === name)?.resourceClaimName ?? "");
  });
  return [...made, status?.extendedResourceClaimStatus?.resourceClaimName ?? ""];
}
