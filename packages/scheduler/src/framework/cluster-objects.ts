import type { DeepReadonly, ResourceTypes } from "@coxswain/api/types";

/** Objects of one kind, as an informer keeps them. */
export interface ObjectStore<T> {
  /** By name, or by namespace/name. */
  get(key: string): T | undefined;
  list(): readonly T[];
  inNamespace(namespace: string): readonly T[];
}

type Cached<
  G extends keyof ResourceTypes,
  V extends keyof ResourceTypes[G],
  R extends keyof ResourceTypes[G][V],
> = ResourceTypes[G][V][R] extends { type: infer T extends object } ? DeepReadonly<T> : never;

export type Namespace = Cached<"core", "v1", "namespaces">;
export type Service = Cached<"core", "v1", "services">;
export type ReplicationController = Cached<"core", "v1", "replicationcontrollers">;
export type ReplicaSet = Cached<"apps", "v1", "replicasets">;
export type StatefulSet = Cached<"apps", "v1", "statefulsets">;
export type PodDisruptionBudget = Cached<"policy", "v1", "poddisruptionbudgets">;
export type PersistentVolume = Cached<"core", "v1", "persistentvolumes">;
export type PersistentVolumeClaim = Cached<"core", "v1", "persistentvolumeclaims">;
export type StorageClass = Cached<"storage", "v1", "storageclasses">;
export type CsiNode = Cached<"storage", "v1", "csinodes">;
export type CsiDriver = Cached<"storage", "v1", "csidrivers">;
export type CsiStorageCapacity = Cached<"storage", "v1", "csistoragecapacities">;
export type VolumeAttachment = Cached<"storage", "v1", "volumeattachments">;
export type ResourceClaim = Cached<"resource", "v1", "resourceclaims">;
export type ResourceSlice = Cached<"resource", "v1", "resourceslices">;
export type DeviceClass = Cached<"resource", "v1", "deviceclasses">;
export type CachedPod = Cached<"core", "v1", "pods">;
export type CachedNode = Cached<"core", "v1", "nodes">;

/** What plugins read beside nodes and the pods on them. */
export interface ClusterObjects {
  readonly pods: ObjectStore<CachedPod>;
  readonly nodes: ObjectStore<CachedNode>;
  readonly namespaces: ObjectStore<Namespace>;
  readonly services: ObjectStore<Service>;
  readonly replicationControllers: ObjectStore<ReplicationController>;
  readonly replicaSets: ObjectStore<ReplicaSet>;
  readonly statefulSets: ObjectStore<StatefulSet>;
  readonly podDisruptionBudgets: ObjectStore<PodDisruptionBudget>;
  readonly persistentVolumes: ObjectStore<PersistentVolume>;
  readonly persistentVolumeClaims: ObjectStore<PersistentVolumeClaim>;
  readonly storageClasses: ObjectStore<StorageClass>;
  readonly csiNodes: ObjectStore<CsiNode>;
  readonly csiDrivers: ObjectStore<CsiDriver>;
  readonly csiStorageCapacities: ObjectStore<CsiStorageCapacity>;
  readonly volumeAttachments: ObjectStore<VolumeAttachment>;
  readonly resourceClaims: ObjectStore<ResourceClaim>;
  readonly resourceSlices: ObjectStore<ResourceSlice>;
  readonly deviceClasses: ObjectStore<DeviceClass>;
}
