import type { OwnerReference } from "@coxswain/apimachinery/meta";
import { formatGroupResource, parseGroupVersion } from "@coxswain/apimachinery/meta";
import { isNotFound } from "@coxswain/apimachinery/status";
import { quoteGo } from "@coxswain/apimachinery/text";
import type { Client } from "@coxswain/client";
import type { Informers } from "../controller/informers.js";
import { controllerRefOf } from "../pods/controller-ref.js";
import type { CachedPod } from "../pods/pod-state.js";

interface Controlling {
  readonly uid: string;
  readonly replicas: number;
}

/** Sums up how many pods their controllers should have. */
export interface ExpectedScale {
  /** `unmanaged`: names of the pods without a controller. @throws Error for a controller that is not there or does not scale */
  sum(pods: readonly CachedPod[]): Promise<{ readonly scale: number; readonly unmanaged: readonly string[] }>;
}

/** Of the usual controllers it knows from caches how many pods they should have; of others it asks for the scale. */
export function createExpectedScale(client: Client, informers: Informers): ExpectedScale {
  const replicationControllers = informers.of("core", "v1", "replicationcontrollers").indexer;
  const replicaSets = informers.of("apps", "v1", "replicasets").indexer;
  const deployments = informers.of("apps", "v1", "deployments").indexer;
  const statefulSets = informers.of("apps", "v1", "statefulsets").indexer;

  interface Replicated {
    readonly metadata?: { readonly uid?: string; readonly ownerReferences?: readonly Readonly<OwnerReference>[] };
    readonly spec?: { readonly replicas?: number };
  }
  const known = (owner: Replicated | undefined, { uid }: Readonly<OwnerReference>): Controlling | undefined =>
    owner?.metadata?.uid === uid ? { uid, replicas: owner?.spec?.replicas ?? 1 } : undefined;

  function fromCaches(reference: Readonly<OwnerReference>, namespace: string): Controlling | undefined {
    const group = parseGroupVersion(reference.apiVersion)?.group;
    const key = `${namespace}/${reference.name}`;
    if (reference.kind === "ReplicationController" && group === "")
      return known(replicationControllers.getByKey(key), reference);
    if (reference.kind === "StatefulSet" && group === "apps") return known(statefulSets.getByKey(key), reference);
    if (reference.kind !== "ReplicaSet" || (group !== "apps" && group !== "extensions")) return undefined;
    const replicaSet = replicaSets.getByKey(key);
    const found = known(replicaSet, reference);
    const owner = replicaSet && controllerRefOf(replicaSet);
    if (!found || owner?.kind !== "Deployment") return found;
    // While a Deployment rolls, its ReplicaSets together have more pods than there should be.
    return known(deployments.getByKey(`${namespace}/${owner.name}`), owner);
  }

  async function fromScale(reference: Readonly<OwnerReference>, namespace: string): Promise<Controlling | undefined> {
    const { group, version } = parseGroupVersion(reference.apiVersion) ?? { group: "", version: "" };
    const { resource } = await client.mapper.mapping({ group, kind: reference.kind }, version);
    try {
      const { metadata, spec } = await client.scale(resource, namespace).get(reference.name);
      return metadata?.uid === reference.uid ? { uid: reference.uid, replicas: spec?.replicas ?? 0 } : undefined;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      // Either the object is gone or nothing of its kind can be scaled.
      const { groups } = await client.server.surface();
      const scales = groups
        .filter((served) => served.name === resource.group)
        .flatMap(({ versions }) => versions.filter((served) => served.version === resource.version))
        .some(({ resources }) => resources.some((served) => served.resource === `${resource.resource}/scale`));
      if (!scales)
        throw new Error(`${formatGroupResource(resource)} does not implement the scale subresource`, { cause: error });
      return undefined;
    }
  }

  return {
    async sum(pods) {
      const replicas = new Map<string, number>();
      const looked = new Set<string>();
      const unmanaged: string[] = [];
      for (const pod of pods) {
        const { namespace = "", name = "" } = pod.metadata ?? {};
        const reference = controllerRefOf(pod);
        if (reference === undefined) {
          unmanaged.push(name);
          continue;
        }
        if (looked.has(reference.uid)) continue;
        looked.add(reference.uid);
        const found = fromCaches(reference, namespace) ?? (await fromScale(reference, namespace));
        if (!found) throw new Error(`found no controllers for pod ${quoteGo(name)}`);
        replicas.set(found.uid, found.replicas);
      }
      return { scale: [...replicas.values()].reduce((sum, count) => sum + count, 0), unmanaged };
    },
  };
}
