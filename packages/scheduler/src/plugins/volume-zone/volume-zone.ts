import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { actions, clusterEvent } from "../../framework/cluster-event.js";
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "../../framework/cluster-objects.js";
import { type Plugin, refuse, skip } from "../../framework/plugin.js";
import { type Status, unresolvable } from "../../framework/status.js";
import { namespaceOf, type Pod } from "../../pod/objects.js";
import { classOfClaim, notFound, type VolumeObjects } from "../../volumes/pod-claims.js";

const name = "VolumeZone";
const elsewhere = unresolvable(name, "node(s) had no available volume zone");

/** Labels of volumes and nodes, the older names first; each with the name that it has now. */
const topologyLabels: ReadonlyMap<string, string> = new Map([
  ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
  ["failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"],
  ["topology.kubernetes.io/zone", "topology.kubernetes.io/zone"],
  ["topology.kubernetes.io/region", "topology.kubernetes.io/region"],
]);

interface VolumeTopology {
  readonly key: string;
  readonly values: readonly string[];
}

/** Keeps a pod in the zones and regions that its bound volumes are labelled with. */
export const createVolumeZone = (
  objects: Pick<VolumeObjects, "persistentVolumeClaims" | "persistentVolumes" | "storageClasses">,
): Plugin => ({
  name,
  events: [
    {
      event: clusterEvent("StorageClass", actions.add),
      hint: (_, __, object) => (object as StorageClass).volumeBindingMode === "WaitForFirstConsumer",
    },
    { event: clusterEvent("Node", actions.add | actions.updateNodeLabel) },
    {
      event: clusterEvent("PersistentVolumeClaim", actions.add | actions.update),
      hint({ pod }, _, object) {
        const { metadata } = object as PersistentVolumeClaim;
        return metadata?.namespace === namespaceOf(pod) && claimNames(pod).includes(metadata?.name ?? "");
      },
    },
    {
      event: clusterEvent("PersistentVolume", actions.add | actions.update),
      hint: (_, old, object) =>
        old === undefined ||
        !equalJson(topologiesOf(old as PersistentVolume), topologiesOf(object as PersistentVolume)),
    },
  ],
  preFilter({ pod: { pod } }) {
    const topologies = podTopologies(pod, objects);
    if ("code" in topologies) return refuse(topologies);
    if (topologies.length === 0) return skip;
    return {
      kind: "filter",
      filter: {
        filter({ labels }) {
          if (![...topologyLabels.keys()].some((key) => getOwn(labels, key) !== undefined)) return undefined;
          for (const { key, values } of topologies) {
            const value = getOwn(labels, key) ?? getOwn(labels, topologyLabels.get(key) ?? key);
            if (value === undefined || !values.includes(value)) return elsewhere;
          }
          return undefined;
        },
      },
    };
  },
});

const claimNames = (pod: Pod): readonly string[] =>
  (pod.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);

function podTopologies(
  pod: Pod,
  objects: Pick<VolumeObjects, "persistentVolumeClaims" | "persistentVolumes" | "storageClasses">,
): readonly VolumeTopology[] | Status {
  const topologies: VolumeTopology[] = [];
  for (const claimName of claimNames(pod)) {
    if (claimName === "") return unresolvable(name, "PersistentVolumeClaim had no name");
    const claim = objects.persistentVolumeClaims.get(`${namespaceOf(pod)}/${claimName}`);
    if (claim === undefined) return unresolvable(name, notFound.claim(claimName));
    const volumeName = claim.spec?.volumeName;
    if (!volumeName) {
      const refusal = whyUnbound(claim, objects.storageClasses);
      if (refusal) return refusal;
      continue;
    }
    const volume = objects.persistentVolumes.get(volumeName);
    if (volume === undefined) return unresolvable(name, notFound.volume(volumeName));
    for (const topology of topologiesOf(volume)) topologies.push(topology);
  }
  return topologies;
}

/** Undefined: it is bound once the pod has its node. */
function whyUnbound(claim: PersistentVolumeClaim, classes: VolumeObjects["storageClasses"]): Status | undefined {
  const className = classOfClaim(claim);
  if (className === "") return unresolvable(name, "PersistentVolumeClaim had no pv name and storageClass name");
  const storageClass = classes.get(className);
  if (storageClass === undefined) return unresolvable(name, notFound.storageClass(className));
  if (storageClass.volumeBindingMode === undefined)
    return unresolvable(name, `VolumeBindingMode not set for StorageClass "${className}"`);
  if (storageClass.volumeBindingMode === "WaitForFirstConsumer") return undefined;
  return unresolvable(name, "PersistentVolume had no name");
}

function topologiesOf({ metadata }: PersistentVolume): readonly VolumeTopology[] {
  return [...topologyLabels.keys()].flatMap((key) => {
    const values = getOwn(metadata?.labels, key)
      ?.split("__")
      .map((value) => value.trim());
    return values && !values.includes("") ? { key, values } : [];
  });
}
