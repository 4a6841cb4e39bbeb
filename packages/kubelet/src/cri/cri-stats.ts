import type { Decoded } from "@coxswain/wire/protobuf";
import { type ContainerStats as CriStats, type MemoryUsage, type PodSandboxStats, runtimeService } from "../gen/cri.js";
import type { ContainerStats, MemoryStats, PodStats } from "../runtime/container-runtime.js";
import type { CriClient } from "./cri-client.js";
import { labelNames } from "./labels.js";

interface Sample {
  readonly at: number;
  readonly nanoseconds: number;
  readonly nanoCores: number;
}

/** A container of a pod, by names. */
export interface LogOwner {
  readonly pod: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly container: string;
}

export interface CriStatisticsOptions {
  readonly client: CriClient;
  /** What the logs of a container use of the disk: the runtime counts its writable layer alone. */
  logUsage(owner: LogOwner): Promise<NonNullable<ContainerStats["logs"]>>;
}

/** What containers use, as the runtime counts it. Processor use per second is the difference of two looks. */
export class CriStatistics {
  readonly #options: CriStatisticsOptions;
  #samples = new Map<string, Sample>();

  constructor(options: CriStatisticsOptions) {
    this.#options = options;
  }

  async list(): Promise<Map<string, PodStats>> {
    const { stats } = await this.#options.client.call(runtimeService.listPodSandboxStats, { filter: {} });
    const samples = new Map<string, Sample>();
    const byPod = new Map<string, PodStats>();
    for (const pod of stats) {
      const { metadata } = pod.attributes ?? {};
      const uid = metadata?.uid;
      if (!uid || !pod.linux) continue;
      const containers = await Promise.all(
        pod.linux.containers.map(async (each) => {
          const read = this.#read(each, samples);
          const logs = await this.#options.logUsage({ pod: metadata, container: read.name });
          return withLogs(read, logs);
        }),
      );
      const network = networkOf(pod);
      const at = Math.floor((pod.linux.cpu?.timestamp ?? 0) / 1e6);
      // A pod may have an old sandbox besides the one that counts.
      const known = byPod.get(uid);
      byPod.set(uid, {
        at: Math.max(at, known?.at ?? 0),
        containers: [...(known?.containers ?? []), ...containers],
        volumes: [],
        ...(network.length > 0 && { network }),
      });
    }
    this.#samples = samples;
    return byPod;
  }

  #read(stats: Decoded<typeof CriStats>, samples: Map<string, Sample>): ContainerStats {
    const id = stats.attributes?.id ?? "";
    const sample = nextSample(this.#samples.get(id), stats);
    samples.set(id, sample);
    return {
      name: stats.attributes?.labels.get(labelNames.containerName) ?? stats.attributes?.metadata?.name ?? "",
      cpuNanoCores: stats.cpu?.usageNanoCores?.value ?? sample.nanoCores,
      cpuNanoCoreSeconds: sample.nanoseconds,
      memoryBytes: stats.memory?.workingSetBytes?.value ?? 0,
      ...(stats.memory && { memory: memoryOf(stats.memory) }),
      storageBytes: stats.writableLayer?.usedBytes?.value ?? 0,
      inodes: stats.writableLayer?.inodesUsed?.value ?? 0,
      processes: 0,
      startedAt: 0,
    };
  }
}

const withLogs = (stats: ContainerStats, logs: NonNullable<ContainerStats["logs"]>): ContainerStats => ({
  ...stats,
  storageBytes: stats.storageBytes + logs.usedBytes,
  inodes: stats.inodes + logs.inodes,
  logs,
});

const memoryOf = (memory: Decoded<typeof MemoryUsage>): MemoryStats => ({
  usageBytes: memory.usageBytes?.value ?? 0,
  rssBytes: memory.rssBytes?.value ?? 0,
  pageFaults: memory.pageFaults?.value ?? 0,
  majorPageFaults: memory.majorPageFaults?.value ?? 0,
});

/** Pure: the use of processors since the last look; the same as then where nothing new was counted. */
export function nextSample(before: Sample | undefined, { cpu }: Pick<Decoded<typeof CriStats>, "cpu">): Sample {
  const nanoseconds = cpu?.usageCoreNanoSeconds?.value ?? 0;
  const at = Math.floor((cpu?.timestamp ?? 0) / 1e6);
  if (!before || at <= before.at || nanoseconds < before.nanoseconds)
    return { at, nanoseconds, nanoCores: before?.nanoCores ?? 0 };
  return { at, nanoseconds, nanoCores: Math.round(((nanoseconds - before.nanoseconds) / (at - before.at)) * 1000) };
}

function networkOf({ linux }: Decoded<typeof PodSandboxStats>): NonNullable<PodStats["network"]>[number][] {
  const { defaultInterface, interfaces = [] } = linux?.network ?? {};
  return [...(defaultInterface ? [defaultInterface] : []), ...interfaces].map((each) => ({
    name: each.name,
    rxBytes: each.rxBytes?.value ?? 0,
    rxErrors: each.rxErrors?.value ?? 0,
    txBytes: each.txBytes?.value ?? 0,
    txErrors: each.txErrors?.value ?? 0,
  }));
}
