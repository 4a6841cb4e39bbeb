import { formatTime } from "@coxswain/apimachinery/time";
import type { NodeAgent } from "../node/node-agent.js";
import type { ContainerStats, FileSystemStats, NodeStats } from "../runtime/container-runtime.js";
import type { DriverVolumeStats } from "../runtime/usage-stats.js";
import { createCpuRate } from "./cpu-rate.js";
import { type PodUsage, total, usageOf } from "./pod-usage.js";

const rate = createCpuRate();

/** `/stats/summary` (k8s.io/kubelet/pkg/apis/stats/v1alpha1, Summary). */
export async function statsSummary(agent: NodeAgent): Promise<object> {
  const { runtime, node } = agent.context;
  const [pods, machine] = [await usageOf(agent), await agent.nodeStats()];
  const now = runtime.clock.now();
  const startTime = node()?.metadata?.creationTimestamp ?? formatTime(now);
  const nanoCores = machine.cpuNanoseconds === undefined ? undefined : rate.of(agent, machine.cpuNanoseconds, now);
  return {
    node: { nodeName: agent.name, startTime, ...nodeSummary(pods, machine, { now, nanoCores }) },
    pods: pods.map((pod) => podSummary(pod, machine, formatTime(now))),
  };
}

/** Pure. Where the machine's processor time is not known, it is what the pods use. */
function nodeSummary(
  pods: readonly PodUsage[],
  { memory, nodeFs, imageFs, processes, cpuNanoseconds }: NodeStats,
  { now, nanoCores }: { readonly now: number; readonly nanoCores: number | undefined },
): object {
  const time = formatTime(now);
  const all = pods.flatMap(({ containers }) => containers);
  const usedBytes = memory.capacityBytes - memory.availableBytes;
  return {
    cpu:
      cpuNanoseconds === undefined
        ? cpuOf(all, time)
        : { time, usageNanoCores: nanoCores ?? 0, usageCoreNanoSeconds: Math.round(cpuNanoseconds) },
    memory: {
      time,
      availableBytes: memory.availableBytes,
      usageBytes: usedBytes,
      workingSetBytes: usedBytes,
      rssBytes: total(all, rssBytes),
    },
    fs: fileSystem(nodeFs, time),
    runtime: { imageFs: fileSystem(imageFs ?? nodeFs, time), containerFs: fileSystem(imageFs ?? nodeFs, time) },
    rlimit: { time, maxpid: processes.max, curproc: processes.running },
  };
}

function podSummary(
  { name, namespace, uid, startedAt, containers, network, volumes, driverVolumes = [] }: PodUsage,
  node: NodeStats,
  time: string,
): object {
  const disk = node.imageFs ?? node.nodeFs;
  const storage = total(containers, ({ storageBytes }) => storageBytes);
  const inVolumes = volumes.reduce((sum, { usedBytes }) => sum + usedBytes, 0);
  const [first] = network ?? [];
  return {
    podRef: { name, namespace, uid },
    startTime: formatTime(startedAt),
    containers: containers.map((stats) => ({
      name: stats.name,
      startTime: formatTime(stats.startedAt),
      cpu: cpuOf([stats], time),
      memory: memoryOf([stats], time),
      rootfs: {
        ...fileSystem(disk, time),
        usedBytes: stats.storageBytes - (stats.logs?.usedBytes ?? 0),
        inodesUsed: stats.inodes - (stats.logs?.inodes ?? 0),
      },
      ...(stats.logs && {
        logs: { ...fileSystem(node.nodeFs, time), usedBytes: stats.logs.usedBytes, inodesUsed: stats.logs.inodes },
      }),
    })),
    cpu: cpuOf(containers, time),
    memory: memoryOf(containers, time),
    ...(network && { network: { time, ...first, interfaces: network } }),
    volume: [
      ...volumes.map(({ name: volume, usedBytes }) => ({ ...fileSystem(node.nodeFs, time), usedBytes, name: volume })),
      ...driverVolumes.map((volume) => driverVolume(volume, { namespace, time })),
    ],
    "ephemeral-storage": {
      ...fileSystem(node.nodeFs, time),
      usedBytes: storage + inVolumes,
      inodesUsed: total(containers, ({ inodes }) => inodes),
    },
    process_stats: { process_count: total(containers, ({ processes }) => processes) },
  };
}

/** Of upstream's VolumeStats what the driver reports. */
const driverVolume = (
  { name, claim, bytes, inodes }: DriverVolumeStats,
  { namespace, time }: { readonly namespace: string; readonly time: string },
): object => ({
  time,
  ...(bytes && { availableBytes: bytes.available, capacityBytes: bytes.capacity, usedBytes: bytes.used }),
  ...(inodes && { inodesFree: inodes.available, inodes: inodes.capacity, inodesUsed: inodes.used }),
  name,
  ...(claim !== undefined && { pvcRef: { name: claim, namespace } }),
});

const cpuOf = (containers: readonly ContainerStats[], time: string): object => ({
  time,
  usageNanoCores: Math.round(total(containers, ({ cpuNanoCores }) => cpuNanoCores)),
  usageCoreNanoSeconds: Math.round(total(containers, ({ cpuNanoCoreSeconds }) => cpuNanoCoreSeconds)),
});

const rssBytes = ({ memory, memoryBytes }: ContainerStats): number => memory?.rssBytes ?? memoryBytes;

const memoryOf = (containers: readonly ContainerStats[], time: string): object => ({
  time,
  usageBytes: total(containers, ({ memory, memoryBytes }) => memory?.usageBytes ?? memoryBytes),
  workingSetBytes: total(containers, ({ memoryBytes }) => memoryBytes),
  rssBytes: total(containers, rssBytes),
  pageFaults: total(containers, ({ memory }) => memory?.pageFaults ?? 0),
  majorPageFaults: total(containers, ({ memory }) => memory?.majorPageFaults ?? 0),
});

const fileSystem = (stats: FileSystemStats, time: string): object => ({
  time,
  availableBytes: stats.availableBytes,
  capacityBytes: stats.capacityBytes,
  usedBytes: stats.capacityBytes - stats.availableBytes,
  inodesFree: stats.inodesFree,
  inodes: stats.inodes,
  inodesUsed: stats.inodes - stats.inodesFree,
});
