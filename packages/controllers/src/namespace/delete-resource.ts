import type { DeepReadonly } from "@coxswain/api";
import type { Pod } from "@coxswain/api/core/v1";
import { largest } from "@coxswain/apimachinery/append";
import { formatGroupVersionResource, type GroupVersionResource } from "@coxswain/apimachinery/meta";
import { isMethodNotSupported, isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { PartialObjectMetadata } from "@coxswain/client/resource";
import type { PreferredResource } from "../discovery/preferred-resources.js";

/** What is left of one resource in a namespace after everything was deleted that can be. */
export interface Leftover {
  /** How many seconds the rest may take; 0: unknown, or nothing is left. */
  readonly estimateSeconds: number;
  readonly count: number;
  /** How many objects wait for each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Why the resource could not be emptied. */
  readonly error?: Error;
}

/** Objects with finalizers are given so long, in seconds. */
const finalizerEstimate = 15;

/** Deletes all objects of a resource in the namespace, and counts what remains. Failures are part of the answer. */
export async function deleteResource(
  client: Client,
  resource: PreferredResource,
  { namespace, deletedForMs }: { namespace: string; deletedForMs: number },
): Promise<Leftover> {
  let estimateSeconds = 0;
  try {
    estimateSeconds = await estimateGrace(client, resource, namespace, deletedForMs);
    if (!(await deleteCollection(client, resource, namespace))) await deleteEach(client, resource, namespace);
    const left = await listLeft(client, resource, namespace);
    if (left === undefined) return { estimateSeconds, count: 0, finalizers: new Map() };
    return leftoverOf(left, { estimateSeconds, resource, namespace });
  } catch (error) {
    return { estimateSeconds, count: 0, finalizers: new Map(), error: error as Error };
  }
}

/** Pure: what the last list means. */
export function leftoverOf(
  left: readonly PartialObjectMetadata[],
  at: { estimateSeconds: number; resource: GroupVersionResource; namespace: string },
): Leftover {
  const { estimateSeconds, resource, namespace } = at;
  const finalizers = new Map<string, number>();
  for (const { metadata } of left)
    for (const finalizer of metadata?.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  const count = left.length;
  if (count === 0) return { estimateSeconds: 0, count, finalizers };
  if (estimateSeconds !== 0) return { estimateSeconds, count, finalizers };
  if (finalizers.size > 0) return { estimateSeconds: finalizerEstimate, count, finalizers };
  return {
    estimateSeconds,
    count,
    finalizers,
    error: new Error(
      `unexpected items still remain in namespace: ${namespace} for gvr: ${formatGroupVersionResource(resource)}`,
    ),
  };
}

/** Pure: the longest grace of the pods that still run, in seconds; 0 when the namespace has been waiting for longer. */
export function graceOf(pods: DeepReadonly<Pod[]>, deletedForMs: number): number {
  const running = pods.filter(({ status }) => status?.phase !== "Succeeded" && status?.phase !== "Failed");
  const longest = largest(
    running.map(({ spec }) => spec?.terminationGracePeriodSeconds ?? 0),
    0,
  );
  return deletedForMs >= longest * 1000 ? 0 : longest;
}

async function estimateGrace(
  client: Client,
  { group, resource }: PreferredResource,
  namespace: string,
  deletedForMs: number,
): Promise<number> {
  if (group !== "" || resource !== "pods") return 0;
  return graceOf([...(await client.core.v1.pods(namespace).list()).items], deletedForMs);
}

/** In the background: everything in the namespace goes, so nothing must be made an orphan. */
const background = { propagationPolicy: "Background" } as const;

/** What discovery lists may answer so nevertheless. */
const isUnsupported = (error: unknown): boolean => isMethodNotSupported(error) || isNotFound(error);

/** Whether the server was able to. */
async function deleteCollection(client: Client, resource: PreferredResource, namespace: string): Promise<boolean> {
  if (!resource.verbs.includes("deletecollection")) return false;
  try {
    await client.metadata(resource, namespace).deleteCollection({}, background);
    return true;
  } catch (error) {
    if (isUnsupported(error)) return false;
    throw error;
  }
}

async function deleteEach(client: Client, resource: PreferredResource, namespace: string): Promise<void> {
  for (const { metadata } of (await listLeft(client, resource, namespace)) ?? [])
    await client
      .metadata(resource, namespace)
      .delete(metadata?.name ?? "", background)
      .catch((error: unknown) => {
        if (!isUnsupported(error)) throw error;
      });
}

/** Undefined: the resource cannot be listed. */
async function listLeft(
  client: Client,
  resource: PreferredResource,
  namespace: string,
): Promise<readonly PartialObjectMetadata[] | undefined> {
  if (!resource.verbs.includes("list")) return undefined;
  try {
    return (await client.metadata(resource, namespace).list()).items;
  } catch (error) {
    if (isUnsupported(error)) return undefined;
    throw error;
  }
}
