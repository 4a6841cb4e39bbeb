import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { type AssumedObjects, createAssumedObjects } from "../../framework/assumed-objects.js";
import { actions, clusterEvent } from "../../framework/cluster-event.js";
import type {
  CsiDriver,
  CsiNode,
  CsiStorageCapacity,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
} from "../../framework/cluster-objects.js";
import { type EventRegistration, type Plugin, refuse, skip } from "../../framework/plugin.js";
import { errorStatus, type Status, unresolvable } from "../../framework/status.js";
import { namespaceOf, type Pod } from "../../pod/objects.js";
import { claimsOf, classOfClaim, classOfVolume, notFound, usesClaim, whyNotForPod } from "../../volumes/pod-claims.js";
import type { PluginContext } from "../plugin-context.js";
import { assumeVolumes, bindVolumes, isFullyBound, revertVolumes, type VolumeBinderDeps } from "./bind-volumes.js";
import { findPodVolumes, type PodClaims, type PodVolumes, volumeLimit } from "./find-volumes.js";
import { storageOf } from "./match-volume.js";

export interface VolumeBindingArgs {
  readonly bindTimeoutSeconds: number;
}

const name = "VolumeBinding";

/** What a cycle remembers. */
interface VolumeState {
  readonly byNode: Map<string, PodVolumes>;
  /** Since `reserve`: what was assumed on the node; undefined where all is bound. */
  assumed: PodVolumes | undefined;
}

/** Binds and provisions the volumes of a pod for the node that it gets, and keeps it off nodes where that cannot be done. */
export function createVolumeBinding(args: VolumeBindingArgs, context: PluginContext): Plugin {
  const { objects } = context;
  const deps: VolumeBinderDeps = {
    ...context,
    claims: createAssumedObjects(objects.persistentVolumeClaims),
    volumes: createAssumedObjects(objects.persistentVolumes),
    bindTimeoutMs: args.bindTimeoutSeconds * 1000,
  };
  const search = { objects, volumes: deps.volumes };

  return {
    name,
    events: eventRegistrations,
    preFilter({ pod: { pod }, state }) {
      const claims = claimsByState(pod, { ...deps, objects });
      if (claims === undefined) return skip;
      if ("code" in claims) return refuse(claims);
      const found: VolumeState = { byNode: new Map(), assumed: undefined };
      state.set(name, found);
      return {
        kind: "filter",
        filter: {
          filter(node) {
            try {
              const result = findPodVolumes(claims, node, search);
              if (result.kind === "conflict") return unresolvable(name, ...result.reasons);
              found.byNode.set(node.name, result.volumes);
              return undefined;
            } catch (error) {
              return errorStatus(name, error);
            }
          },
        },
      };
    },
    reserve({ state }, nodeName) {
      const found = state.get(name) as VolumeState | undefined;
      const volumes = found?.byNode.get(nodeName);
      if (found && volumes && (volumes.bindings.length > 0 || volumes.provisions.length > 0))
        found.assumed = assumeVolumes(volumes, nodeName, deps);
      return undefined;
    },
    unreserve({ state }) {
      const assumed = (state.get(name) as VolumeState | undefined)?.assumed;
      if (assumed) revertVolumes(assumed, deps);
    },
    preBindPreFlight: ({ state }) =>
      (state.get(name) as VolumeState | undefined)?.assumed ? { kind: "work", parallel: true } : skip,
    async preBind({ pod: { pod }, state }, nodeName, signal) {
      const assumed = (state.get(name) as VolumeState | undefined)?.assumed;
      if (assumed === undefined) return undefined;
      try {
        await bindVolumes(assumed, { pod, nodeName, signal }, deps);
        return undefined;
      } catch (error) {
        return errorStatus(name, error);
      }
    },
  };
}

/** The claims of a pod, as far as they can be used; undefined: it has none. */
function claimsByState(
  pod: Pod,
  { objects, claims, volumes }: Pick<VolumeBinderDeps, "claims" | "volumes"> & Pick<PluginContext, "objects">,
): PodClaims | Status | undefined {
  const used = claimsOf(pod);
  if (used.length === 0) return undefined;
  const bound: PersistentVolumeClaim[] = [];
  const delayed: PersistentVolumeClaim[] = [];
  let immediate = false;
  for (const { name: claimName, ephemeral } of used) {
    const key = `${namespaceOf(pod)}/${claimName}`;
    const problem = whyUnusable(objects.persistentVolumeClaims.get(key), { pod, claimName, ephemeral });
    if (problem) return unresolvable(name, problem);
  }
  for (const { name: claimName } of used) {
    const claim = claims.get(`${namespaceOf(pod)}/${claimName}`);
    if (claim === undefined)
      return errorStatus(name, new Error(`error getting PVC "${namespaceOf(pod)}/${claimName}"`));
    if (isFullyBound(claim)) bound.push(claim);
    else {
      const storageClass = objects.storageClasses.get(classOfClaim(claim));
      if (storageClass && storageClass.volumeBindingMode === undefined)
        return errorStatus(name, new Error(`VolumeBindingMode not set for StorageClass "${classOfClaim(claim)}"`));
      if (storageClass?.volumeBindingMode === "WaitForFirstConsumer" && !claim.spec?.volumeName) delayed.push(claim);
      else immediate = true;
    }
  }
  if (immediate) return unresolvable(name, "pod has unbound immediate PersistentVolumeClaims");
  delayed.sort((a, b) => storageOf(a.spec?.resources?.requests).compare(storageOf(b.spec?.resources?.requests)));
  return { bound, delayed, volumes: volumesByClass(delayed, volumes) };
}

function whyUnusable(
  claim: PersistentVolumeClaim | undefined,
  { pod, claimName, ephemeral }: { readonly pod: Pod; readonly claimName: string; readonly ephemeral: boolean },
): string | undefined {
  if (claim === undefined)
    return ephemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${claimName}"`
      : notFound.claim(claimName);
  if (claim.status?.phase === "Lost")
    return `persistentvolumeclaim "${claimName}" bound to non-existent persistentvolume "${claim.spec?.volumeName ?? ""}"`;
  if (claim.metadata?.deletionTimestamp !== undefined) return `persistentvolumeclaim "${claimName}" is being deleted`;
  return ephemeral ? whyNotForPod(pod, claim) : undefined;
}

function volumesByClass(
  claims: readonly PersistentVolumeClaim[],
  volumes: AssumedObjects<PersistentVolume>,
): PodClaims["volumes"] {
  const byClass = new Map<string, PersistentVolume[]>(claims.map((claim) => [classOfClaim(claim), []]));
  if (byClass.size > 0) for (const volume of volumes.list()) byClass.get(classOfVolume(volume))?.push(volume);
  return byClass;
}

const migratedPlugins = "storage.alpha.kubernetes.io/migrated-plugins";

const eventRegistrations: readonly EventRegistration[] = [
  {
    event: clusterEvent("StorageClass", actions.add | actions.update),
    hint: (_, old, object) =>
      old === undefined ||
      !equalJson((old as StorageClass).allowedTopologies ?? [], (object as StorageClass).allowedTopologies ?? []),
  },
  {
    event: clusterEvent("PersistentVolumeClaim", actions.add | actions.update),
    hint: ({ pod }, _, object) => usesClaim(pod, object as PersistentVolumeClaim),
  },
  { event: clusterEvent("PersistentVolume", actions.add | actions.update) },
  { event: clusterEvent("Node", actions.add | actions.updateNodeLabel) },
  {
    event: clusterEvent("CSINode", actions.add | actions.update),
    hint: (_, old, object) =>
      old === undefined ||
      getOwn((old as CsiNode).metadata?.annotations, migratedPlugins) !==
        getOwn((object as CsiNode).metadata?.annotations, migratedPlugins),
  },
  {
    event: clusterEvent("CSIDriver", actions.update),
    hint({ pod }, old, object) {
      const [before, after] = [old as CsiDriver, object as CsiDriver];
      const uses = pod.spec?.volumes?.some(({ csi }) => csi?.driver === after.metadata?.name) ?? false;
      return uses && before.spec?.storageCapacity === true && !after.spec?.storageCapacity;
    },
  },
  {
    event: clusterEvent("CSIStorageCapacity", actions.add | actions.update),
    hint(_, old, object) {
      if (old === undefined) return true;
      const [before, after] = [volumeLimit(old as CsiStorageCapacity), volumeLimit(object as CsiStorageCapacity)];
      return after !== undefined && (before === undefined || after > before);
    },
  },
];
