import type { NodeInfo } from "../../cache/node-info.js";
import { actions, clusterEvent } from "../../framework/cluster-event.js";
import type { PersistentVolumeClaim } from "../../framework/cluster-objects.js";
import { type NodeFilter, type Plugin, refuse, skip } from "../../framework/plugin.js";
import { unresolvable, unschedulable } from "../../framework/status.js";
import { namespaceOf, type Pod } from "../../pod/objects.js";
import { PodInfo } from "../../pod/pod-info.js";
import { notFound, type VolumeObjects } from "../../volumes/pod-claims.js";
import { disksConflict, hasExclusiveDisk } from "./disk-conflict.js";

const name = "VolumeRestrictions";
const diskInUse = unschedulable(name, "node(s) had no available disk");
const claimInUse = unschedulable(
  name,
  "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod",
);

/** Disks that only one pod may have at a time: by their kind on a node, or by ReadWriteOncePod in the whole cluster. */
export const createVolumeRestrictions = ({
  persistentVolumeClaims,
}: Pick<VolumeObjects, "persistentVolumeClaims">): Plugin => ({
  name,
  events: [
    { event: clusterEvent("Pod", actions.delete), hint: afterPodDeleted },
    { event: clusterEvent("Node", actions.add) },
    {
      event: clusterEvent("PersistentVolumeClaim", actions.add),
      hint({ pod }, _, object) {
        const { metadata } = object as PersistentVolumeClaim;
        return metadata?.namespace === namespaceOf(pod) && claimNames(pod).has(metadata?.name ?? "");
      },
    },
  ],
  preFilter({ pod: info, snapshot }) {
    const exclusive = new Set<string>();
    for (const claim of claimNames(info.pod)) {
      const found = persistentVolumeClaims.get(`${info.namespace}/${claim}`);
      if (found === undefined) return refuse(unresolvable(name, notFound.claim(claim)));
      if (found.spec?.accessModes?.includes("ReadWriteOncePod")) exclusive.add(claim);
    }
    let uses = 0;
    for (const claim of exclusive) if (snapshot.isClaimUsed(`${info.namespace}/${claim}`)) uses++;
    const disks = hasExclusiveDisk(info.pod);
    if (uses === 0 && !disks) return skip;
    return { kind: "filter", filter: createFilter({ pod: info.pod, disks, exclusive, uses }) };
  },
});

interface Restrictions {
  readonly pod: Pod;
  readonly disks: boolean;
  /** Names of claims that nobody else may use. */
  readonly exclusive: ReadonlySet<string>;
  /** How often they are used now. */
  readonly uses: number;
}

function createFilter({ pod, disks, exclusive, uses }: Restrictions): NodeFilter {
  let used = uses;
  const usesOf = (other: PodInfo): number => {
    let count = 0;
    for (const { persistentVolumeClaim } of other.pod.spec?.volumes ?? [])
      if (persistentVolumeClaim && exclusive.has(persistentVolumeClaim.claimName)) count++;
    return count;
  };
  return {
    filter: (node) => (disks && conflictsOn(node, pod) ? diskInUse : used > 0 ? claimInUse : undefined),
    addPod: (other) => void (used += usesOf(other)),
    removePod: (other) => void (used -= usesOf(other)),
    copy: () => createFilter({ pod, disks, exclusive, uses: used }),
  };
}

const conflictsOn = (node: NodeInfo, pod: Pod): boolean => node.pods.some((other) => disksConflict(pod, other.pod));

function claimNames(pod: Pod): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { persistentVolumeClaim } of pod.spec?.volumes ?? [])
    if (persistentVolumeClaim) names.add(persistentVolumeClaim.claimName);
  return names;
}

function afterPodDeleted({ pod }: PodInfo, old: unknown): boolean {
  const deleted = old as Pod;
  if (namespaceOf(deleted) !== namespaceOf(pod)) return false;
  if (disksConflict(pod, deleted)) return true;
  const claims = claimNames(pod);
  for (const claim of claimNames(deleted)) if (claims.has(claim)) return true;
  return false;
}
