import type { PersistentVolumeClaim as ApiClaim, PersistentVolume as ApiVolume } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import type { AssumedObjects } from "../../framework/assumed-objects.js";
import type { ClusterObjects, PersistentVolume, PersistentVolumeClaim } from "../../framework/cluster-objects.js";
import { waitUntilSettled } from "../../framework/wait-until-settled.js";
import { objectKey, type Pod } from "../../pod/objects.js";
import { type PodVolumes, selectedNode } from "./find-volumes.js";
import { isMeantFor, isReachable } from "./match-volume.js";

export interface VolumeBinderDeps {
  readonly client: Client;
  readonly runtime: Runtime;
  readonly objects: Pick<ClusterObjects, "pods" | "nodes">;
  readonly claims: AssumedObjects<PersistentVolumeClaim>;
  readonly volumes: AssumedObjects<PersistentVolume>;
  onChange(kind: keyof ClusterObjects, listener: () => void): () => void;
  readonly bindTimeoutMs: number;
}

/** Bound on both sides: the claim names its volume, and the controller has finished. */
export const isFullyBound = ({ metadata, spec }: PersistentVolumeClaim): boolean =>
  Boolean(spec?.volumeName) && getOwn(metadata?.annotations, "pv.kubernetes.io/bind-completed") !== undefined;

/** The volumes as they will be, assumed from now on. */
export function assumeVolumes(found: PodVolumes, nodeName: string, deps: VolumeBinderDeps): PodVolumes {
  const bindings = found.bindings.map(({ claim, volume }) => {
    const bound = boundTo(volume, claim);
    if (bound !== volume) deps.volumes.assume(bound);
    return { claim, volume: bound };
  });
  const provisions = found.provisions.map(({ claim, capacity }) => {
    const annotations = { ...claim.metadata?.annotations, [selectedNode]: nodeName };
    const provisioned: PersistentVolumeClaim = { ...claim, metadata: { ...claim.metadata, annotations } };
    deps.claims.assume(provisioned);
    return { claim: provisioned, capacity };
  });
  return { bindings, provisions };
}

export function revertVolumes({ bindings, provisions }: PodVolumes, deps: VolumeBinderDeps): void {
  for (const { volume } of bindings) deps.volumes.restore(volume);
  for (const { claim } of provisions) deps.claims.restore(claim);
}

function boundTo(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const { name = "", namespace = "", uid = "", resourceVersion = "" } = claim.metadata ?? {};
  const ref = volume.spec?.claimRef;
  const named = ref?.name === name && ref.namespace === namespace && ref.uid === uid;
  const annotate =
    !isMeantFor(volume, claim) &&
    getOwn(volume.metadata?.annotations, "pv.kubernetes.io/bound-by-controller") === undefined;
  if (named && !annotate) return volume;
  return {
    ...volume,
    metadata: {
      ...volume.metadata,
      ...(annotate && {
        annotations: { ...volume.metadata?.annotations, "pv.kubernetes.io/bound-by-controller": "yes" },
      }),
    },
    spec: {
      ...volume.spec,
      ...(!named && {
        claimRef: { kind: "PersistentVolumeClaim", apiVersion: "v1", name, namespace, uid, resourceVersion },
      }),
    },
  } as PersistentVolume;
}

/**
 * Writes what was assumed, then waits until controllers and provisioners have done their part.
 * @throws Error when that fails or takes too long; then the pod is tried again
 */
export async function bindVolumes(
  assumed: PodVolumes,
  { pod, nodeName, signal }: { pod: Pod; nodeName: string; signal: AbortSignal },
  deps: VolumeBinderDeps,
): Promise<void> {
  const { client } = deps;
  const bindings: PodVolumes["bindings"][number][] = [];
  const claims: PersistentVolumeClaim[] = [];
  try {
    for (const { claim, volume } of assumed.bindings) {
      const written = await client.core.v1.persistentvolumes().update(volume as ApiVolume, { signal });
      bindings.push({ claim, volume: written });
    }
    for (const { claim } of assumed.provisions) {
      const inNamespace = client.core.v1.persistentvolumeclaims(claim.metadata?.namespace ?? "");
      claims.push(await inNamespace.update(claim as ApiClaim, { signal }));
    }
  } catch (error) {
    revertVolumes(
      { bindings: assumed.bindings.slice(bindings.length), provisions: assumed.provisions.slice(claims.length) },
      deps,
    );
    throw error;
  }
  await waitUntilSettled(() => areBound({ bindings, claims }, { pod, nodeName }, deps), {
    kinds: ["persistentVolumes", "persistentVolumeClaims", "pods"],
    timeoutMs: deps.bindTimeoutMs,
    signal,
    ...deps,
  }).catch((error: unknown) => {
    throw new Error(`binding volumes: ${error instanceof Error ? error.message : error}`, { cause: error });
  });
}

/** Whether the informer has not seen our own write yet. */
const isBehind = (
  stored: { readonly metadata?: { readonly resourceVersion?: string } },
  written: typeof stored,
): boolean => Number(stored.metadata?.resourceVersion) < Number(written.metadata?.resourceVersion);

function areBound(
  written: { readonly bindings: PodVolumes["bindings"]; readonly claims: readonly PersistentVolumeClaim[] },
  { pod, nodeName }: { readonly pod: Pod; readonly nodeName: string },
  deps: VolumeBinderDeps,
): boolean {
  const node = deps.objects.nodes.get(nodeName);
  if (node === undefined) throw new Error(`failed to get node "${nodeName}": node "${nodeName}" not found`);
  if (deps.objects.pods.get(objectKey(pod)) === undefined)
    throw new Error(`pod does not exist any more: pod "${pod.metadata?.name}" not found`);
  const labels = node.metadata?.labels;
  const checkReachable = (volume: PersistentVolume): void => {
    if (!isReachable(volume, labels))
      throw new Error(
        `pv "${volume.metadata?.name}" node affinity doesn't match node "${nodeName}": no matching NodeSelectorTerms`,
      );
  };
  for (const { claim, volume } of written.bindings) {
    const stored = deps.volumes.getStored(volume.metadata?.name ?? "");
    const storedClaim = deps.claims.getStored(objectKey(claim));
    if (stored === undefined)
      throw new Error(`failed to check binding: persistentvolume "${volume.metadata?.name}" not found`);
    if (storedClaim === undefined)
      throw new Error(`failed to check binding: persistentvolumeclaim "${claim.metadata?.name}" not found`);
    if (isBehind(stored, volume)) return false;
    checkReachable(stored);
    if (!stored.spec?.claimRef?.uid) throw new Error(`ClaimRef got reset for pv "${volume.metadata?.name}"`);
    if (!isFullyBound(storedClaim)) return false;
  }
  for (const claim of written.claims) {
    const stored = deps.claims.getStored(objectKey(claim));
    if (stored === undefined)
      throw new Error(`failed to check provisioning pvc: persistentvolumeclaim "${claim.metadata?.name}" not found`);
    if (isBehind(stored, claim)) return false;
    if (stored.metadata?.annotations === undefined)
      throw new Error(`selectedNode annotation reset for PVC "${claim.metadata?.name}"`);
    if (getOwn(stored.metadata.annotations, selectedNode) !== nodeName)
      throw new Error(`provisioning failed for PVC "${claim.metadata?.name}"`);
    const volume = stored.spec?.volumeName ? deps.volumes.getStored(stored.spec.volumeName) : undefined;
    if (stored.spec?.volumeName && volume === undefined) return false;
    if (volume) checkReachable(volume);
    if (!isFullyBound(stored)) return false;
  }
  return true;
}
