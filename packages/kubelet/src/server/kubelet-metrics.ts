import type { NodeAgent } from "../node/node-agent.js";
import { isStaticPod } from "../objects/cached-pod.js";
import type { SpaceStats } from "../runtime/usage-stats.js";
import { type MetricFamily, type MetricSample, metricText } from "./metric-text.js";

/** `/metrics`: what the kubelet of a node counts of its own work (pkg/kubelet/metrics/metrics.go). */
export async function kubeletMetrics(agent: NodeAgent): Promise<string> {
  const { containers } = agent.context;
  const workers = [...agent.workers.values()];
  const running = (await containers.listPods()).filter(({ isRunning }) => isRunning);
  const states = new Map<string, number>();
  for (const { uid } of workers)
    for (const [newest] of (await containers.podStatus(uid)).containers.values())
      if (newest) states.set(newest.state, (states.get(newest.state) ?? 0) + 1);
  const desired = workers.filter(({ stage }) => stage === "running");
  const active = workers.filter(({ stage }) => stage !== "terminated");
  const gauge = (name: string, help: string, samples: MetricSample[]): MetricFamily => ({
    name: `kubelet_${name}`,
    help,
    type: "gauge",
    stability: "ALPHA",
    samples,
  });
  const byOrigin = (of: typeof workers): MetricSample[] =>
    [true, false].map((isStatic) => ({
      labels: { static: String(isStatic) },
      value: of.filter((worker) => isStaticPod(worker.pod()) === isStatic).length,
    }));
  const mirrored = workers.filter((worker) => isStaticPod(worker.pod())).length;
  return metricText([
    gauge("active_pods", "Pods that count when a new one is admitted, by whether they are static.", byOrigin(active)),
    gauge("desired_pods", "Pods that the kubelet is to run, by whether they are static.", byOrigin(desired)),
    gauge("mirror_pods", "Mirror pods that the kubelet writes, one for each static pod.", [{ value: mirrored }]),
    gauge("node_name", "The node's name. The count is always 1.", [{ labels: { node: agent.name }, value: 1 }]),
    gauge(
      "running_containers",
      "Number of containers by state",
      [...states].map(([container_state, value]) => ({ labels: { container_state }, value })),
    ),
    gauge("running_pods", "Number of pods that have a running pod sandbox", [{ value: running.length }]),
    ...(await claimUsage(agent)).map(({ name, help, samples }) => gauge(name, help, samples)),
    gauge("working_pods", "Pods by how far the kubelet is with them.", workingPods(workers)),
  ]);
}

function workingPods(
  workers: readonly { readonly stage: string; pod(): Parameters<typeof isStaticPod>[0] }[],
): MetricSample[] {
  const lifecycles = { running: "sync", terminating: "terminating", terminated: "terminated" } as const;
  return Object.entries(lifecycles).flatMap(([stage, lifecycle]) =>
    [true, false].map((isStatic) => ({
      labels: { config: "desired", lifecycle, static: String(isStatic) },
      value: workers.filter((worker) => worker.stage === stage && isStaticPod(worker.pod()) === isStatic).length,
    })),
  );
}

/** What is known of a volume; of simulated nodes' only its use. */
interface CountedVolume {
  readonly claim: string | undefined;
  readonly bytes?: Partial<SpaceStats>;
  readonly inodes?: Partial<SpaceStats>;
}

/** Upstream's names (pkg/kubelet/metrics/collectors/volume_stats.go), and where a driver reports each. */
const claimMetrics: readonly {
  readonly name: string;
  readonly help: string;
  readonly of: (volume: CountedVolume) => number | undefined;
}[] = [
  { name: "available_bytes", help: "Number of available bytes in the volume", of: ({ bytes }) => bytes?.available },
  { name: "capacity_bytes", help: "Capacity in bytes of the volume", of: ({ bytes }) => bytes?.capacity },
  { name: "inodes", help: "Maximum number of inodes in the volume", of: ({ inodes }) => inodes?.capacity },
  { name: "inodes_free", help: "Number of free inodes in the volume", of: ({ inodes }) => inodes?.available },
  { name: "inodes_used", help: "Number of used inodes in the volume", of: ({ inodes }) => inodes?.used },
  { name: "used_bytes", help: "Number of used bytes in the volume", of: ({ bytes }) => bytes?.used },
];

/** Of volumes that are persistent volume claims, by the claim: of simulated nodes what their files use, else what drivers report. */
async function claimUsage(agent: NodeAgent): Promise<{ name: string; help: string; samples: MetricSample[] }[]> {
  const stats = await agent.context.containers.listStats();
  const found: { readonly labels: Record<string, string>; readonly volume: CountedVolume }[] = [];
  for (const worker of agent.workers.values()) {
    const { spec, metadata } = worker.pod();
    const { volumes = [], driverVolumes = [] } = stats.get(worker.uid) ?? {};
    const claimOf = (name: string): string | undefined =>
      spec?.volumes?.find((volume) => volume.name === name)?.persistentVolumeClaim?.claimName;
    const files = volumes.map(({ name, usedBytes: used }) => ({
      name,
      claim: claimOf(name),
      bytes: { used },
    }));
    for (const volume of [...files, ...driverVolumes] as CountedVolume[])
      if (volume.claim !== undefined)
        found.push({
          labels: { namespace: metadata?.namespace ?? "", persistentvolumeclaim: volume.claim },
          volume,
        });
  }
  return claimMetrics.map(({ name, help, of }) => ({
    name: `volume_stats_${name}`,
    help,
    samples: found.flatMap(({ labels, volume }) => {
      const value = of(volume);
      return value === undefined ? [] : [{ labels, value }];
    }),
  }));
}
