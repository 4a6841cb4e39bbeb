import type { NodeInfo } from "../../cache/node-info.js";
import { actions, clusterEvent } from "../../framework/cluster-event.js";
import type { CsiNode, PersistentVolumeClaim } from "../../framework/cluster-objects.js";
import { type Plugin, skip } from "../../framework/plugin.js";
import { errorStatus, type Status, unresolvable, unschedulable } from "../../framework/status.js";
import { namespaceOf, type Pod } from "../../pod/objects.js";
import { csiVolumeOfClaim, csiVolumeOfInline, isInlineMigratable } from "../../volumes/csi-volume.js";
import { claimOf, claimsOf, notFound, usesClaim, type VolumeObjects, whyNotForPod } from "../../volumes/pod-claims.js";

const name = "NodeVolumeLimits";
const tooMany = unschedulable(name, "node(s) exceed max volume count");

type LimitObjects = Pick<
  VolumeObjects,
  "persistentVolumeClaims" | "persistentVolumes" | "storageClasses" | "csiNodes" | "csiDrivers" | "volumeAttachments"
>;

/** Drivers by the volumes that they attach. */
type Attached = Map<string, string>;

/** Keeps pods off nodes where a CSI driver cannot attach as many volumes as they need. */
export function createNodeVolumeLimits(objects: LimitObjects, gates: { enabled(gate: string): boolean }): Plugin {
  const refuseMissingDrivers = gates.enabled("VolumeLimitScaling");
  return {
    name,
    events: [
      { event: clusterEvent("CSINode", actions.add) },
      {
        event: clusterEvent("CSINode", actions.update),
        hint(_, old, object) {
          const before = limitsOf(old as CsiNode);
          return [...limitsOf(object as CsiNode)].some(([driver, limit]) => limit > (before.get(driver) ?? 0));
        },
      },
      {
        event: clusterEvent("Pod", actions.delete),
        hint(_, old) {
          const deleted = old as Pod;
          if (!deleted.spec?.nodeName && !deleted.status?.nominatedNodeName) return false;
          return mayBeAttached(deleted);
        },
      },
      {
        event: clusterEvent("PersistentVolumeClaim", actions.add),
        hint: ({ pod }, _, object) => usesClaim(pod, object as PersistentVolumeClaim),
      },
      {
        event: clusterEvent("VolumeAttachment", actions.delete),
        hint: ({ pod }) =>
          pod.spec?.volumes?.some((volume) => volume.persistentVolumeClaim || isInlineMigratable(volume)) ?? false,
      },
    ],
    preFilter({ pod: { pod } }) {
      if (!mayBeAttached(pod)) return skip;
      const attachedTo = attachmentsByNode(objects);
      return {
        kind: "filter",
        filter: {
          filter(node) {
            const csiNode = objects.csiNodes.get(node.name);
            const wanted: Attached = new Map();
            const refusal = addVolumes(wanted, pod, objects, { onNode: csiNode !== undefined, isNew: true });
            if (refusal) return refusal;
            if (wanted.size === 0) return undefined;
            if (refuseMissingDrivers)
              for (const driver of wanted.values())
                if (isMissing(driver, csiNode, objects))
                  return unschedulable(name, `${driver} CSI driver is not installed on the node`);
            const limits = csiNode ? limitsOf(csiNode) : new Map<string, number>();
            if (limits.size === 0) return undefined;
            return exceeds({ node, wanted, limits, attached: attachedTo.get(node.name) }, objects);
          },
        },
      };
    },
  };
}

const mayBeAttached = (pod: Pod): boolean =>
  claimsOf(pod).length > 0 || (pod.spec?.volumes?.some(isInlineMigratable) ?? false);

function limitsOf({ spec }: CsiNode): Map<string, number> {
  const limits = new Map<string, number>();
  for (const { name: driver, allocatable } of spec?.drivers ?? [])
    if (allocatable?.count !== undefined) limits.set(driver, allocatable.count);
  return limits;
}

function addVolumes(
  to: Attached,
  pod: Pod,
  objects: LimitObjects,
  { onNode, isNew }: { readonly onNode: boolean; readonly isNew: boolean },
): Status | undefined {
  const namespace = namespaceOf(pod);
  for (const volume of pod.spec?.volumes ?? []) {
    const used = claimOf(pod, volume);
    if (used === undefined) {
      const inline = csiVolumeOfInline(volume, onNode);
      if (inline) to.set(`${inline.driver}/${inline.handle}`, inline.driver);
      continue;
    }
    const claim = objects.persistentVolumeClaims.get(`${namespace}/${used.name}`);
    if (claim === undefined) {
      // A pod that runs does not need its claim any more.
      if (!isNew) continue;
      return unresolvable(name, `looking up PVC ${namespace}/${used.name}: ${notFound.claim(used.name)}`);
    }
    const problem = used.ephemeral ? whyNotForPod(pod, claim) : undefined;
    if (problem) return errorStatus(name, new Error(problem));
    const csi = csiVolumeOfClaim(claim, objects, onNode);
    if (csi?.driver && csi.handle) to.set(`${csi.driver}/${csi.handle}`, csi.driver);
  }
  return undefined;
}

interface Load {
  readonly node: NodeInfo;
  readonly wanted: Attached;
  readonly limits: ReadonlyMap<string, number>;
  /** What is attached whether or not a pod uses it. */
  readonly attached: Attached | undefined;
}

function exceeds({ node, wanted, limits, attached }: Load, objects: LimitObjects): Status | undefined {
  const all: Attached = new Map();
  for (const { pod } of node.pods) {
    const refusal = addVolumes(all, pod, objects, { onNode: true, isNew: false });
    if (refusal) return refusal;
  }
  for (const volume of all.keys()) wanted.delete(volume);
  for (const [volume, driver] of attached ?? []) if (!all.has(volume)) all.set(volume, driver);
  const counts = new Map<string, number>();
  for (const driver of all.values()) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  const added = new Map<string, number>();
  for (const driver of wanted.values()) added.set(driver, (added.get(driver) ?? 0) + 1);
  for (const [driver, count] of added) {
    const limit = limits.get(driver);
    if (limit !== undefined && (counts.get(driver) ?? 0) + count > limit) return tooMany;
  }
  return undefined;
}

function attachmentsByNode({ volumeAttachments, persistentVolumes }: LimitObjects): ReadonlyMap<string, Attached> {
  const byNode = new Map<string, Attached>();
  for (const { spec } of volumeAttachments.list()) {
    const volumeName = spec?.source.persistentVolumeName;
    const handle = volumeName ? persistentVolumes.get(volumeName)?.spec?.csi?.volumeHandle : undefined;
    if (!spec?.attacher || handle === undefined) continue;
    const attached = byNode.get(spec.nodeName) ?? new Map<string, string>();
    byNode.set(spec.nodeName, attached.set(`${spec.attacher}/${handle}`, spec.attacher));
  }
  return byNode;
}

/** Whether the driver wants to be on a node before pods are, and is not. */
const isMissing = (driver: string, csiNode: CsiNode | undefined, { csiDrivers }: LimitObjects): boolean =>
  csiDrivers.get(driver)?.spec?.preventPodSchedulingIfMissing === true &&
  !csiNode?.spec?.drivers?.some((installed) => installed.name === driver);
