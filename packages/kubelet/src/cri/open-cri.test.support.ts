import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { type Clock, systemClock } from "@coxswain/runtime/clock";
import { createNodeLogs } from "../logs/node-logs.js";
import { type CriRuntime, connectCriRuntime } from "./cri-runtime.js";

export interface OpenedCri {
  readonly containers: CriRuntime;
  stop(): Promise<void>;
}

/** A CRI runtime whose kubelet has its directories in a folder of its own. */
export async function openCri(
  endpoint: string,
  {
    requestTimeoutMs = 30_000,
    ioClock = systemClock,
  }: { readonly requestTimeoutMs?: number; readonly ioClock?: Clock } = {},
): Promise<OpenedCri> {
  const folder = await mkdtemp(join(tmpdir(), "coxswain-cri-"));
  const clear = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const paths = { rootDir: join(folder, "kubelet"), podLogsDir: join(folder, "pods") };
  const containers = await connectCriRuntime({
    runtime: { ...systemRuntime(), ioClock },
    endpoint,
    requestTimeoutMs,
    maxParallelPulls: 1,
    sandboxFacts: async () => ({
      paths,
      nodeName: "node-0",
      dns: { host: undefined, clusterDns: [], clusterDomain: "cluster.local" },
    }),
    resources: {
      memoryBytes: 8 * 1024 ** 3,
      cgroupVersion: 1,
      hugePageBytes: [],
      quotaPeriod: 100_000,
      killsSingleProcess: true,
    },
    security: { seccompRoot: join(folder, "seccomp"), seccompDefault: false },
    logs: createNodeLogs({ podLogsDirectory: paths.podLogsDir, linksDirectory: join(folder, "links") }),
    volumeUsage: () => Promise.resolve([]),
    driverVolumeUsage: () => Promise.resolve([]),
  }).catch(async (error: unknown) => {
    await clear();
    throw error;
  });
  return {
    containers,
    async stop() {
      await containers.stop();
      await clear();
    },
  };
}
