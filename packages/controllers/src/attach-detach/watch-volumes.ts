import { equalJson } from "@coxswain/apimachinery/json";
import type { ReconcileLoop } from "../controller/reconcile-loop.js";
import { nodeIndex } from "../nodes/pods-by-node.js";
import { type CachedPod, hasPodStopped } from "../pods/pod-state.js";
import type { AttachWork } from "./attach-work.js";
import { type Attachable, attachableOfVolume } from "./attachable.js";
import { type CachedAttachment, type CachedNode, isManaged } from "./world.js";

/** Wakes the volumes that a change concerns. */
export function watchVolumes(volumeLoop: ReconcileLoop, work: AttachWork): void {
  const { world } = work;
  const { pods, claims, volumes, attachments, drivers } = world.informers;
  const wake = (...found: readonly (Attachable | undefined)[]): void => {
    for (const each of found) if (each) volumeLoop.queue.add(each.name);
  };
  const wakePod = (pod: CachedPod): void => {
    if (pod.spec?.nodeName) wake(...world.attachablesOfPod(pod));
  };
  volumeLoop.handle(pods, {
    onAdd: wakePod,
    onUpdate(old, pod) {
      if (old.spec?.nodeName !== pod.spec?.nodeName || hasPodStopped(old) !== hasPodStopped(pod)) wakePod(pod);
    },
    onDelete: wakePod,
  });
  volumeLoop.handle(claims, {
    onAdd: (claim) => wake(world.attachableOfClaim(claim)),
    onUpdate: (_, claim) => wake(world.attachableOfClaim(claim)),
    // Its pods may be gone from the cache as well: the volume is found by name.
    onDelete({ spec }) {
      const volume = spec?.volumeName ? volumes.indexer.getByKey(spec.volumeName) : undefined;
      wake(volume && attachableOfVolume(volume));
    },
  });
  volumeLoop.handle(volumes, {
    onAdd: (volume) => wake(attachableOfVolume(volume)),
    onUpdate(old, volume) {
      if (!equalJson(old.spec, volume.spec)) wake(attachableOfVolume(volume));
    },
    onDelete: (volume) => wake(attachableOfVolume(volume)),
  });
  const wakeAttachment = ({ spec }: CachedAttachment): void => {
    const volume = volumes.indexer.getByKey(spec.source.persistentVolumeName ?? "");
    wake(volume && attachableOfVolume(volume));
  };
  volumeLoop.handle(attachments, {
    onAdd: wakeAttachment,
    onUpdate: (_, attachment) => wakeAttachment(attachment),
    onDelete(attachment) {
      wakeAttachment(attachment);
      work.wakeNode(attachment.spec.nodeName);
    },
  });
  volumeLoop.handle(drivers, {
    onAdd: ({ metadata }) => wake(...world.attachablesOfDriver(metadata?.name ?? "")),
    onUpdate: (_, { metadata }) => wake(...world.attachablesOfDriver(metadata?.name ?? "")),
    onDelete: ({ metadata }) => wake(...world.attachablesOfDriver(metadata?.name ?? "")),
  });
  watchNodes(volumeLoop, work, wakePod);
}

function watchNodes(volumeLoop: ReconcileLoop, work: AttachWork, wakePod: (pod: CachedPod) => void): void {
  const { world, memory } = work;
  const { pods, nodes } = world.informers;
  const wakeNode = (node: CachedNode): void => {
    const name = node.metadata?.name ?? "";
    for (const volume of world.namesOn(name)) volumeLoop.queue.add(volume);
    for (const pod of pods.indexer.byIndex(nodeIndex, name)) wakePod(pod);
  };
  volumeLoop.handle(nodes, {
    onAdd(node) {
      memory.nodeCame(node.metadata?.name ?? "");
      wakeNode(node);
      work.wakeNode(node.metadata?.name ?? "");
    },
    onUpdate(old, node) {
      if (concernsVolumes(old, node)) wakeNode(node);
    },
    onDelete(node) {
      memory.nodeWent(node.metadata?.name ?? "", node.status?.volumesInUse ?? []);
      wakeNode(node);
    },
  });
}

/** Nodes report often; most of it has nothing to do with volumes. */
const concernsVolumes = (old: CachedNode, node: CachedNode): boolean =>
  !equalJson(old.status?.volumesAttached, node.status?.volumesAttached) ||
  !equalJson(old.status?.volumesInUse, node.status?.volumesInUse) ||
  !equalJson(old.spec?.taints, node.spec?.taints) ||
  isManaged(old) !== isManaged(node) ||
  readyOf(old) !== readyOf(node);

const readyOf = ({ status }: CachedNode): string | undefined =>
  status?.conditions?.find(({ type }) => type === "Ready")?.status;
