import type { GroupVersionResource } from "@coxswain/apimachinery/meta";
import type { Client } from "@coxswain/client";
import {
  createSharedInformerFactory,
  type EventHandler,
  filterListerWatcher,
  type HandlerRegistration,
  namespaceIndex,
  withoutManagedFields,
} from "@coxswain/client/informers";
import type { Runtime } from "@coxswain/runtime";
import type { EventResource } from "../framework/cluster-event.js";
import type { ClusterObjects, ObjectStore } from "../framework/cluster-objects.js";

const resources = {
  pods: ref("", "v1", "pods"),
  nodes: ref("", "v1", "nodes"),
  namespaces: ref("", "v1", "namespaces"),
  services: ref("", "v1", "services"),
  replicationControllers: ref("", "v1", "replicationcontrollers"),
  replicaSets: ref("apps", "v1", "replicasets"),
  statefulSets: ref("apps", "v1", "statefulsets"),
  podDisruptionBudgets: ref("policy", "v1", "poddisruptionbudgets"),
  persistentVolumes: ref("", "v1", "persistentvolumes"),
  persistentVolumeClaims: ref("", "v1", "persistentvolumeclaims"),
  storageClasses: ref("storage.k8s.io", "v1", "storageclasses"),
  csiNodes: ref("storage.k8s.io", "v1", "csinodes"),
  csiDrivers: ref("storage.k8s.io", "v1", "csidrivers"),
  csiStorageCapacities: ref("storage.k8s.io", "v1", "csistoragecapacities"),
  volumeAttachments: ref("storage.k8s.io", "v1", "volumeattachments"),
  resourceClaims: ref("resource.k8s.io", "v1", "resourceclaims"),
  resourceSlices: ref("resource.k8s.io", "v1", "resourceslices"),
  deviceClasses: ref("resource.k8s.io", "v1", "deviceclasses"),
} as const satisfies Record<keyof ClusterObjects, GroupVersionResource>;

function ref(group: string, version: string, resource: string): GroupVersionResource {
  return { group, version, resource };
}

/** Which kind of object an event is about, where plugins may await it; pods and nodes have handlers of their own. */
export const awaitedKinds: ReadonlyMap<EventResource, keyof ClusterObjects> = new Map([
  ["PersistentVolume", "persistentVolumes"],
  ["PersistentVolumeClaim", "persistentVolumeClaims"],
  ["StorageClass", "storageClasses"],
  ["CSINode", "csiNodes"],
  ["CSIDriver", "csiDrivers"],
  ["CSIStorageCapacity", "csiStorageCapacities"],
  ["VolumeAttachment", "volumeAttachments"],
  ["ResourceClaim", "resourceClaims"],
  ["ResourceSlice", "resourceSlices"],
  ["DeviceClass", "deviceClasses"],
]);

type ObjectOf<K extends keyof ClusterObjects> = ClusterObjects[K] extends ObjectStore<infer T> ? T : never;

/** The caches that scheduling reads. */
export interface SchedulerInformers {
  readonly objects: ClusterObjects;
  handle<K extends keyof ClusterObjects>(kind: K, handler: EventHandler<ObjectOf<K>>): void;
  /** Calls `listener` after every change of an object of this kind, until the function that it returns is called. */
  onChange(kind: keyof ClusterObjects, listener: () => void): () => void;
  start(): void;
  /** Resolves once every cache is filled and every handler has seen what is in it; rejects when they stop before. */
  whenSynced(): Promise<void>;
  stop(): Promise<void>;
}

export interface SchedulerInformersOptions {
  readonly client: Client;
  readonly runtime: Runtime;
  onError(error: unknown): void;
}

/** Pods that are over take no room on a node. */
const livePods = { fieldSelector: "status.phase!=Succeeded,status.phase!=Failed" };

export function createSchedulerInformers(options: SchedulerInformersOptions): SchedulerInformers {
  const { client, ...shared } = options;
  const factory = createSharedInformerFactory({
    ...shared,
    transform: withoutManagedFields,
    listerWatcher(resource, namespace) {
      const all = client.dynamic(resource, namespace);
      return resource === resources.pods ? filterListerWatcher(all, livePods) : all;
    },
  });
  const registrations: HandlerRegistration[] = [];
  const informerOf = (kind: keyof ClusterObjects) => factory.informer(resources[kind]);
  const storeOf = (kind: keyof ClusterObjects): ObjectStore<unknown> => {
    const { indexer } = informerOf(kind);
    return {
      get: (key) => indexer.getByKey(key),
      list: () => indexer.list(),
      inNamespace: (namespace) => indexer.byIndex(namespaceIndex, namespace),
    };
  };
  const listeners = new Map<keyof ClusterObjects, Set<() => void>>();

  /** One handler for all listeners, from the first on: handlers see what was there before them. */
  function listenersOf(kind: keyof ClusterObjects): Set<() => void> {
    const known = listeners.get(kind);
    if (known) return known;
    const added = new Set<() => void>();
    listeners.set(kind, added);
    const notify = (): void => {
      for (const listener of added) listener();
    };
    registrations.push(informerOf(kind).addHandler({ onAdd: notify, onUpdate: notify, onDelete: notify }));
    return added;
  }

  const kinds = Object.keys(resources) as (keyof ClusterObjects)[];
  // The names of the table are those of the objects, and `resources` has the resource of each.
  const objects = Object.fromEntries(kinds.map((kind) => [kind, storeOf(kind)])) as unknown as ClusterObjects;
  return {
    objects,
    handle(kind, handler) {
      registrations.push(informerOf(kind).addHandler(handler as never));
    },
    onChange(kind, listener) {
      const all = listenersOf(kind).add(listener);
      return () => void all.delete(listener);
    },
    start: () => factory.start(),
    async whenSynced() {
      await factory.whenSynced();
      await Promise.all(registrations.map((registration) => registration.whenSynced()));
    },
    async stop() {
      await Promise.all(registrations.map((registration) => registration.remove()));
      await factory.stop();
    },
  };
}
