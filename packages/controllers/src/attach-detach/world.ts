import type { DeepReadonly } from "@coxswain/api";
import type { Node } from "@coxswain/api/core/v1";
import type { CSIDriver, VolumeAttachment } from "@coxswain/api/storage/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import { parseTimeMs } from "@coxswain/apimachinery/time";
import type { Indexers, SharedIndexInformer } from "@coxswain/client/informers";
import type { Informers } from "../controller/informers.js";
import { nodeIndex, podsByNode } from "../nodes/pods-by-node.js";
import { type CachedPod, hasPodStopped } from "../pods/pod-state.js";
import type { CachedClaim, CachedVolume } from "../volumes/cached-volumes.js";
import { claimNameOf, isClaimForPod, podClaimIndex, podsByClaim } from "../volumes/pod-claims.js";
import { type Attachable, attachableOfPodVolume, attachableOfVolume, attachmentName } from "./attachable.js";
import type { NodeFacts } from "./plan.js";

export type CachedNode = DeepReadonly<Node>;
export type CachedAttachment = DeepReadonly<VolumeAttachment>;

const byName = "attachableName";
const byDriver = "csiDriver";
const byPersistentVolume = "persistentVolumeName";
const byNode = "spec.nodeName";
const byReported = "status.volumesAttached";

const podIndexers: Indexers<CachedPod> = {
  ...podsByClaim,
  ...podsByNode,
  [byName]: ({ spec }) => (spec?.volumes ?? []).flatMap((volume) => attachableOfPodVolume(volume)?.name ?? []),
};
const volumeIndexers: Indexers<CachedVolume> = {
  [byName]: (volume) => [attachableOfVolume(volume)].flatMap((each) => each?.name ?? []),
  [byDriver]: ({ spec }) => (spec?.csi ? [spec.csi.driver] : []),
};
const attachmentIndexers: Indexers<CachedAttachment> = {
  [byPersistentVolume]: ({ spec }) => (spec.source.persistentVolumeName ? [spec.source.persistentVolumeName] : []),
  [byNode]: ({ spec }) => [spec.nodeName],
};
const nodeIndexers: Indexers<CachedNode> = {
  [byReported]: ({ status }) => (status?.volumesAttached ?? []).map(({ name }) => name),
};

/** Kubelets on it leave attaching to this controller. */
export const isManaged = ({ metadata }: CachedNode): boolean =>
  getOwn(metadata?.annotations, "volumes.kubernetes.io/controller-managed-attach-detach") !== undefined;

export const isInUse = ({ status }: CachedNode, name: string): boolean => status?.volumesInUse?.includes(name) ?? false;

/** The node is tainted as out of service. */
export const isOutOfService = (node: CachedNode | undefined): boolean =>
  node?.spec?.taints?.some(({ key }) => key === "node.kubernetes.io/out-of-service") ?? false;

export const isReportedBy = ({ status }: CachedNode, name: string): boolean =>
  status?.volumesAttached?.some((volume) => volume.name === name) ?? false;

/** Volumes, who needs them where, and where they are, by the caches: nothing is kept besides. */
export interface AttachWorld {
  readonly informers: {
    readonly pods: SharedIndexInformer<CachedPod>;
    readonly nodes: SharedIndexInformer<CachedNode>;
    readonly claims: SharedIndexInformer<CachedClaim>;
    readonly volumes: SharedIndexInformer<CachedVolume>;
    readonly attachments: SharedIndexInformer<CachedAttachment>;
    readonly drivers: SharedIndexInformer<DeepReadonly<CSIDriver>>;
  };
  /** Undefined: there is no such volume any more. */
  attachable(name: string): Attachable | undefined;
  attachablesOfPod(pod: CachedPod): Attachable[];
  attachableOfClaim(claim: CachedClaim): Attachable | undefined;
  attachablesOfDriver(driver: string): Attachable[];
  /** Names of volumes that are, or should be, on the node. */
  namesOn(node: string): Set<string>;
  podsNeeding(volume: Attachable, node: string): CachedPod[];
  /** Each node that has the volume or needs it. `requestedMs` and `lastInUse` are what caches do not know. */
  facts(volume: Attachable, memory: WorldMemory): NodeFacts[];
}

export interface WorldMemory {
  detachRequestedMs(name: string, node: string): number | undefined;
  /** Whether a node that is gone used the volume when it went; undefined: nobody saw. */
  wasInUse(name: string, node: string): boolean | undefined;
}

type Attachments = Map<string, NonNullable<NodeFacts["attachment"]>>;

export const createAttachWorld = (informers: Informers): AttachWorld =>
  new CachedWorld({
    pods: informers.of("core", "v1", "pods", { indexers: podIndexers }),
    nodes: informers.of("core", "v1", "nodes", { indexers: nodeIndexers }),
    claims: informers.of("core", "v1", "persistentvolumeclaims"),
    volumes: informers.of("core", "v1", "persistentvolumes", { indexers: volumeIndexers }),
    attachments: informers.of("storage", "v1", "volumeattachments", { indexers: attachmentIndexers }),
    drivers: informers.of("storage", "v1", "csidrivers"),
  });

class CachedWorld implements AttachWorld {
  readonly informers: AttachWorld["informers"];

  constructor(informers: AttachWorld["informers"]) {
    this.informers = informers;
  }

  attachable(name: string): Attachable | undefined {
    const { volumes, pods } = this.informers;
    const [volume] = volumes.indexer.byIndex(byName, name);
    if (volume) return attachableOfVolume(volume);
    for (const pod of pods.indexer.byIndex(byName, name))
      for (const each of pod.spec?.volumes ?? []) {
        const found = attachableOfPodVolume(each);
        if (found?.name === name) return found;
      }
    // Nobody names it any more: all that is left of it is that nodes report it.
    return name.startsWith("kubernetes.io/csi/") ? undefined : { name, title: name, isExclusive: false };
  }

  attachablesOfPod(pod: CachedPod): Attachable[] {
    return (pod.spec?.volumes ?? []).flatMap((volume) => {
      const claimName = claimNameOf(pod, volume);
      if (claimName === undefined) return attachableOfPodVolume(volume) ?? [];
      const claim = this.informers.claims.indexer.getByKey(`${pod.metadata?.namespace}/${claimName}`);
      if (!claim || (volume.ephemeral && !isClaimForPod(claim, pod))) return [];
      return this.attachableOfClaim(claim) ?? [];
    });
  }

  attachableOfClaim({ metadata, spec, status }: CachedClaim): Attachable | undefined {
    if (status?.phase !== "Bound" || !spec?.volumeName) return undefined;
    const volume = this.informers.volumes.indexer.getByKey(spec.volumeName);
    return volume?.spec?.claimRef?.uid === metadata?.uid ? volume && attachableOfVolume(volume) : undefined;
  }

  attachablesOfDriver(driver: string): Attachable[] {
    const { volumes } = this.informers;
    return volumes.indexer.byIndex(byDriver, driver).flatMap((volume) => attachableOfVolume(volume) ?? []);
  }

  podsNeeding(volume: Attachable, node: string): CachedPod[] {
    return this.#consumers(volume).filter(({ spec }) => spec?.nodeName === node);
  }

  namesOn(node: string): Set<string> {
    const { nodes, attachments, volumes, pods } = this.informers;
    const held = nodes.indexer.getByKey(node);
    const names = new Set((held?.status?.volumesAttached ?? []).map(({ name }) => name));
    for (const { spec } of attachments.indexer.byIndex(byNode, node)) {
      const volume = spec.source.persistentVolumeName && volumes.indexer.getByKey(spec.source.persistentVolumeName);
      const found = volume ? attachableOfVolume(volume) : undefined;
      if (found) names.add(found.name);
    }
    for (const pod of pods.indexer.byIndex(nodeIndex, node))
      for (const each of this.attachablesOfPod(pod)) if (!each.csi) names.add(each.name);
    return names;
  }

  facts(volume: Attachable, memory: WorldMemory): NodeFacts[] {
    const found = volume.csi ? this.#attachmentsOf(volume, volume.csi) : this.#reportsOf(volume);
    const users = new Map<string, CachedPod[]>();
    for (const pod of this.#consumers(volume)) {
      const node = pod.spec?.nodeName ?? "";
      const there = users.get(node);
      if (there) there.push(pod);
      else users.set(node, [pod]);
    }
    return [...new Set([...found.keys(), ...users.keys()])].map((node): NodeFacts => {
      const held = this.informers.nodes.indexer.getByKey(node);
      const attachment = found.get(node);
      const detachRequestedMs = memory.detachRequestedMs(volume.name, node);
      return {
        node,
        pods: (users.get(node) ?? []).map(({ metadata }) => ({
          namespace: metadata?.namespace ?? "",
          name: metadata?.name ?? "",
        })),
        isInUse: held ? isInUse(held, volume.name) : (memory.wasInUse(volume.name, node) ?? true),
        isNodeReady:
          held?.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false,
        isOutOfService: isOutOfService(held),
        ...(attachment && { attachment }),
        ...(detachRequestedMs !== undefined && { detachRequestedMs }),
      };
    });
  }

  #isAttachRequired({ csi }: Attachable): boolean {
    return !csi || this.informers.drivers.indexer.getByKey(csi.driver)?.spec.attachRequired !== false;
  }

  #needs(pod: CachedPod, { name }: Attachable): boolean {
    return !hasPodStopped(pod) && this.attachablesOfPod(pod).some((each) => each.name === name);
  }

  #consumers(volume: Attachable): CachedPod[] {
    if (!this.#isAttachRequired(volume)) return [];
    const { volumes, pods, nodes } = this.informers;
    const byClaims = volumes.indexer
      .byIndex(byName, volume.name)
      .flatMap(({ spec }) =>
        spec?.claimRef ? pods.indexer.byIndex(podClaimIndex, `${spec.claimRef.namespace}/${spec.claimRef.name}`) : [],
      );
    const all = new Set([...byClaims, ...pods.indexer.byIndex(byName, volume.name)]);
    return [...all].filter((pod) => {
      const node = pod.spec?.nodeName ? nodes.indexer.getByKey(pod.spec.nodeName) : undefined;
      return node !== undefined && isManaged(node) && this.#needs(pod, volume);
    });
  }

  /** A volume that is not CSI's is where nodes report it. */
  #reportsOf(volume: Attachable): Attachments {
    const found: Attachments = new Map();
    for (const { metadata } of this.informers.nodes.indexer.byIndex(byReported, volume.name))
      found.set(metadata?.name ?? "", { isAttached: true, isBeingDeleted: false, sinceMs: 0 });
    return found;
  }

  /** One of CSI is where a VolumeAttachment of the expected name is. */
  #attachmentsOf({ name }: Attachable, { driver, handle }: NonNullable<Attachable["csi"]>): Attachments {
    const { volumes, attachments } = this.informers;
    const found: Attachments = new Map();
    for (const { metadata } of volumes.indexer.byIndex(byName, name))
      for (const each of attachments.indexer.byIndex(byPersistentVolume, metadata?.name ?? "")) {
        const { nodeName } = each.spec;
        if (each.metadata?.name !== attachmentName(driver, handle, nodeName)) continue;
        const error = each.status?.attachError?.message;
        found.set(nodeName, {
          isAttached: each.status?.attached ?? false,
          isBeingDeleted: Boolean(each.metadata?.deletionTimestamp),
          sinceMs: parseTimeMs(each.metadata?.creationTimestamp ?? "") ?? 0,
          ...(error !== undefined && { error }),
        });
      }
    return found;
  }
}
