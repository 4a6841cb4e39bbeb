import { getOwn } from "@coxswain/apimachinery/own";
import { quantityValue } from "@coxswain/apimachinery/quantity";
import { labelSelectorFromObject } from "@coxswain/apimachinery/selector";
import type { NodeInfo } from "../../cache/node-info.js";
import type { AssumedObjects } from "../../framework/assumed-objects.js";
import type {
  CsiStorageCapacity,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
} from "../../framework/cluster-objects.js";
import { classOfClaim, type VolumeObjects } from "../../volumes/pod-claims.js";
import { isReachable, matchVolume, storageOf } from "./match-volume.js";

export const selectedNode = "volume.kubernetes.io/selected-node";

/** The claims of a pod, by what is to be done for them. */
export interface PodClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  /** To be bound once the pod has its node; the smallest first. */
  readonly delayed: readonly PersistentVolumeClaim[];
  /** The volumes that may be bound to those, by storage class. */
  readonly volumes: ReadonlyMap<string, readonly PersistentVolume[]>;
}

/** What is to be bound and provisioned for a pod on one node. */
export interface PodVolumes {
  readonly bindings: readonly { readonly claim: PersistentVolumeClaim; readonly volume: PersistentVolume }[];
  readonly provisions: readonly {
    readonly claim: PersistentVolumeClaim;
    /** Where the driver reports how much it can provision. */
    readonly capacity: CsiStorageCapacity | undefined;
  }[];
}

export interface VolumeSearch {
  readonly objects: Pick<VolumeObjects, "storageClasses" | "csiDrivers" | "csiStorageCapacities">;
  readonly volumes: AssumedObjects<PersistentVolume>;
}

export const reasons = {
  nodeConflict: "node(s) didn't match PersistentVolume's node affinity",
  bindConflict: "node(s) didn't find available persistent volumes to bind",
  noSpace: "node(s) did not have enough free storage",
  noVolume: "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
} as const;

export type FoundVolumes =
  | { readonly kind: "found"; readonly volumes: PodVolumes }
  | { readonly kind: "conflict"; readonly reasons: readonly string[] };

/** @throws Error for a claim whose class is missing */
export function findPodVolumes(
  { bound, delayed, volumes }: PodClaims,
  node: NodeInfo,
  search: VolumeSearch,
): FoundVolumes {
  const conflicts: string[] = [];
  for (const claim of bound) {
    const volume = search.volumes.get(claim.spec?.volumeName ?? "");
    if (volume !== undefined && isReachable(volume, node.labels)) continue;
    conflicts.push(volume === undefined ? reasons.noVolume : reasons.nodeConflict);
    break;
  }
  const found = delayed.length === 0 ? nothing : findDelayed(delayed, volumes, node, search);
  if (found.conflict) conflicts.push(found.conflict);
  return conflicts.length > 0
    ? { kind: "conflict", reasons: conflicts.sort(inOrder) }
    : { kind: "found", volumes: { bindings: found.bindings, provisions: found.provisions } };
}

const order: readonly string[] = Object.values(reasons);
const inOrder = (a: string, b: string): number => order.indexOf(a) - order.indexOf(b);

interface Delayed extends PodVolumes {
  readonly conflict?: string;
}

const nothing: Delayed = { bindings: [], provisions: [] };

function findDelayed(
  delayed: readonly PersistentVolumeClaim[],
  volumes: PodClaims["volumes"],
  node: NodeInfo,
  search: VolumeSearch,
): Delayed {
  const toProvision: PersistentVolumeClaim[] = [];
  const toMatch: PersistentVolumeClaim[] = [];
  for (const claim of delayed) {
    const selected = getOwn(claim.metadata?.annotations, selectedNode);
    if (selected === undefined) toMatch.push(claim);
    else if (selected === node.name) toProvision.push(claim);
    else return { ...nothing, conflict: reasons.bindConflict };
  }
  const taken = new Set<string>();
  const bindings: { claim: PersistentVolumeClaim; volume: PersistentVolume }[] = [];
  for (const claim of toMatch) {
    const volume = matchVolume(claim, { volumes: volumes.get(classOfClaim(claim)) ?? [], node, taken });
    if (volume === undefined) toProvision.push(claim);
    else {
      taken.add(volume.metadata?.name ?? "");
      bindings.push({ claim, volume });
    }
  }
  const provisions: PodVolumes["provisions"][number][] = [];
  for (const claim of toProvision) {
    const provision = planProvision(claim, node, search);
    if ("conflict" in provision) return { bindings, provisions: [], conflict: provision.conflict };
    provisions.push({ claim, capacity: provision.capacity });
  }
  return { bindings, provisions };
}

function planProvision(
  claim: PersistentVolumeClaim,
  node: NodeInfo,
  search: VolumeSearch,
): { readonly conflict: string } | { readonly capacity: CsiStorageCapacity | undefined } {
  const className = classOfClaim(claim);
  if (className === "") throw new Error(`no class for claim "${claim.metadata?.namespace}/${claim.metadata?.name}"`);
  const storageClass = search.objects.storageClasses.get(className);
  if (storageClass === undefined) throw new Error(`failed to find storage class "${className}"`);
  const { provisioner } = storageClass;
  if (!provisioner || provisioner === "kubernetes.io/no-provisioner") return { conflict: reasons.bindConflict };
  if (!topologyAllows(storageClass, node)) return { conflict: reasons.bindConflict };
  return findCapacity(claim, storageClass, node, search);
}

/** One of the terms must hold; all of its labels must have one of their values. */
function topologyAllows({ allowedTopologies }: StorageClass, node: NodeInfo): boolean {
  if (allowedTopologies === undefined || allowedTopologies.length === 0) return true;
  return allowedTopologies.some(({ matchLabelExpressions = [] }) => {
    if (matchLabelExpressions.length === 0) return false;
    return matchLabelExpressions.every(({ key, values }) => {
      const value = getOwn(node.labels, key);
      return value !== undefined && values.includes(value);
    });
  });
}

function findCapacity(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  node: NodeInfo,
  { objects }: VolumeSearch,
): { readonly conflict: string } | { readonly capacity: CsiStorageCapacity | undefined } {
  if (claim.spec?.resources?.requests?.["storage"] === undefined) return { capacity: undefined };
  if (!objects.csiDrivers.get(storageClass.provisioner)?.spec?.storageCapacity) return { capacity: undefined };
  const wanted = Number(storageOf(claim.spec.resources.requests).value());
  for (const capacity of objects.csiStorageCapacities.list()) {
    const limit = volumeLimit(capacity);
    if (capacity.storageClassName !== storageClass.metadata?.name || limit === undefined || limit < wanted) continue;
    if (capacity.nodeTopology && labelSelectorFromObject(capacity.nodeTopology).matches(node.labels))
      return { capacity };
  }
  return { conflict: reasons.noSpace };
}

/** The largest volume that can be made, in bytes; undefined where the driver does not report it. */
export function volumeLimit({ maximumVolumeSize, capacity }: CsiStorageCapacity): number | undefined {
  const limit = maximumVolumeSize ?? capacity;
  return limit === undefined ? undefined : quantityValue(limit);
}
