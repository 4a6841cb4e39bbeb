import type { Metrics } from "@coxswain/runtime/metrics";
import { countByLabels } from "../controller/count-by-labels.js";
import { hasPodStopped } from "../pods/pod-state.js";
import { type Attachable, attachableOfVolume, attachmentName } from "./attachable.js";
import { type AttachWorld, isManaged } from "./world.js";

/** What the attach/detach controller knows of volumes, looked up at every scrape, under upstream's names (pkg/controller/volume/attachdetach/metrics/metrics.go). */
export function collectAttachMetrics(metrics: Metrics, world: AttachWorld): void {
  metrics.collectGauge(
    {
      name: "storage_count_attachable_volumes_in_use",
      help: "Volumes of pods, by their node and plugin",
      stability: "ALPHA",
      labels: ["node", "volume_plugin"],
    },
    (report) => {
      for (const { labels, count } of countPairs(volumesInUse(world))) report(count, ...labels);
    },
  );
  metrics.collectGauge(
    {
      name: "attachdetach_controller_total_volumes",
      help: "Volumes that are to be attached to nodes, and that are",
      stability: "ALPHA",
      labels: ["plugin_name", "state"],
    },
    (report) => {
      const states = [
        ...desiredOf(world).map((plugin) => [plugin, "desired_state_of_world"] as const),
        ...attachedOf(world).map((plugin) => [plugin, "actual_state_of_world"] as const),
      ];
      for (const { labels, count } of countPairs(states)) report(count, ...labels);
    },
  );
}

/** "kubernetes.io/csi:driver", or the plugin alone: "kubernetes.io/iscsi". */
const pluginOf = ({ csi, name }: Attachable): string =>
  csi ? `kubernetes.io/csi:${csi.driver}` : name.split("/", 2).join("/");

function volumesInUse(world: AttachWorld): (readonly [node: string, plugin: string])[] {
  const { informers } = world;
  return informers.pods.indexer.list().flatMap((pod) => {
    const node = pod.spec?.nodeName;
    if (!node) return [];
    const inPod = (pod.spec?.volumes ?? []).flatMap(({ csi }) => (csi ? [`kubernetes.io/csi:${csi.driver}`] : []));
    return [...world.attachablesOfPod(pod).map(pluginOf), ...inPod].map((plugin) => [node, plugin] as const);
  });
}

/** The plugin of each volume that a node should have. */
function desiredOf(world: AttachWorld): string[] {
  const { pods, nodes } = world.informers;
  const wanted = new Map<string, string>();
  for (const pod of pods.indexer.list()) {
    const node = pod.spec?.nodeName ? nodes.indexer.getByKey(pod.spec.nodeName) : undefined;
    if (!node || !isManaged(node) || hasPodStopped(pod)) continue;
    for (const volume of world.attachablesOfPod(pod))
      wanted.set(`${node.metadata?.name} ${volume.name}`, pluginOf(volume));
  }
  return [...wanted.values()];
}

/** The plugin of each volume that a node has. */
function attachedOf(world: AttachWorld): string[] {
  const { nodes, attachments, volumes } = world.informers;
  const byDriver = attachments.indexer.list().flatMap(({ metadata, spec, status }) => {
    const volume = volumes.indexer.getByKey(spec.source.persistentVolumeName ?? "");
    const found = volume && attachableOfVolume(volume);
    const isOurs = found?.csi && metadata?.name === attachmentName(found.csi.driver, found.csi.handle, spec.nodeName);
    return status?.attached && isOurs ? [pluginOf(found)] : [];
  });
  const reported = nodes.indexer.list().flatMap(({ status }) =>
    (status?.volumesAttached ?? []).flatMap(({ name }) => {
      const found = world.attachable(name);
      return found && !found.csi ? [pluginOf(found)] : [];
    }),
  );
  return [...byDriver, ...reported];
}

function countPairs(pairs: readonly (readonly [string, string])[]) {
  return countByLabels(pairs, (pair) => pair) as {
    readonly labels: readonly [string, string];
    readonly count: number;
  }[];
}
