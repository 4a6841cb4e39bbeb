import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownLauncher } from "../../clients/index.js";
import { simulatedNode } from "../../kwok/simulated-nodes.js";
import { serverNodeOptions } from "../../node-options.js";
import {
  ensureProgram,
  startControllerManager,
  startEtcd,
  startKubeApiserver,
  startKwok,
  startScheduler,
} from "../../upstream/index.js";
import { cpuSeconds } from "../servers/cpu-seconds.js";
import { residentBytes } from "../servers/resident-memory.js";
import type { ServerName } from "../servers/server.js";
import { connectApi, inParallel } from "./api.js";
import type { BenchCluster } from "./bench-cluster.js";

/** Their clients may send as much as they want, as ours do. */
const withoutLimits = ["--kube-api-qps=100000", "--kube-api-burst=100000"];

export interface BenchClusterWithManager extends BenchCluster {
  /** The controller manager alone. */
  readonly manager: Pick<BenchCluster, "residentBytes" | "cpuSeconds">;
}

/** `coxswain controller-manager`; it has no limits unless it is given some. */
const ownControllerManager = (): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [...serverNodeOptions(), ownLauncher, "controller-manager"],
});

/**
 * kube-apiserver over etcd, kube-controller-manager, kube-scheduler and KWOK, with upstream's defaults but for the limits of their
 * clients. The start is counted from kube-apiserver's command: etcd and certificates are there before.
 */
export async function startUpstreamCluster(
  nodes: number,
  signal: AbortSignal,
  /** Whose controller manager. @default upstream */
  controllers: ServerName = "upstream",
): Promise<BenchClusterWithManager> {
  const programs = { kwok: "kwok", manager: "kube-controller-manager", scheduler: "kube-scheduler" } as const;
  for (const program of Object.values(programs)) await ensureProgram(program);
  const folder = await mkdtemp(join(tmpdir(), "coxswain-bench-cluster-"));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  const keep = <T extends { stop(): Promise<unknown> }>(started: T): T => {
    stops.push(() => started.stop());
    return started;
  };
  try {
    const etcd = keep(await startEtcd({ folder }));
    const beganMs = performance.now();
    const server = keep(
      await startKubeApiserver({
        folder,
        etcdUrl: etcd.url,
        authorizationMode: "Node,RBAC",
        disableAdmissionPlugins: [],
        pollIntervalMs: 10,
        flags: ["--service-cluster-ip-range=10.0.0.0/16"],
      }),
    );
    const kubeconfig = server.kubeconfigFile;
    const limitless = async (name: (typeof programs)["manager" | "scheduler"]) => ({
      command: await ensureProgram(name),
      args: withoutLimits,
    });
    const manager = keep(
      await startControllerManager({
        kubeconfig,
        ca: join(folder, "ca.crt"),
        caKey: join(folder, "ca.key"),
        serviceAccountKey: join(folder, "service-account.key"),
        logFile: join(folder, "manager.log"),
        program: controllers === "ours" ? ownControllerManager() : await limitless(programs.manager),
      }),
    );
    const scheduler = keep(
      await startScheduler({
        kubeconfig,
        logFile: join(folder, "scheduler.log"),
        program: await limitless(programs.scheduler),
      }),
    );
    const kwok = keep(await startKwok({ kubeconfig, folder }));
    const api = connectApi(server.access, signal);
    await inParallel(nodes, 16, (index) => api.create("/api/v1/nodes", simulatedNode(index)));
    interface Node {
      readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
    }
    const isReady = ({ status }: Node): boolean =>
      status?.conditions?.some((each) => each.type === "Ready" && each.status === "True") ?? false;
    await api.until<{ items: Node[] }>(
      "/api/v1/nodes",
      ({ items }) => items.length === nodes && items.every(isReady),
      nodes > 100 ? 1_000 : 20,
    );
    api.close();
    const pids = [etcd.pid, server.pid, manager.pid, scheduler.pid, kwok.pid];
    return {
      access: server.access,
      beganMs,
      residentBytes: () => residentBytes(pids),
      cpuSeconds: () => cpuSeconds(pids),
      manager: {
        residentBytes: () => residentBytes([manager.pid]),
        cpuSeconds: () => cpuSeconds([manager.pid]),
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
