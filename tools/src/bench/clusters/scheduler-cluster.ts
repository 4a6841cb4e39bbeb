import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownLauncher } from "../../clients/index.js";
import { simulatedNode } from "../../kwok/simulated-nodes.js";
import { serverNodeOptions } from "../../node-options.js";
import { ensureProgram, startEtcd, startKubeApiserver, startScheduler } from "../../upstream/index.js";
import { cpuSeconds } from "../servers/cpu-seconds.js";
import { residentBytes } from "../servers/resident-memory.js";
import type { ServerName } from "../servers/server.js";
import { connectApi, inParallel } from "./api.js";
import type { BenchCluster } from "./bench-cluster.js";

const zones = 10;

/** Its client may send as much as it wants, as ours does. */
const programOf = async (scheduler: ServerName): Promise<{ command: string; args: string[] }> =>
  scheduler === "upstream"
    ? { command: await ensureProgram("kube-scheduler"), args: ["--kube-api-qps=100000", "--kube-api-burst=100000"] }
    : { command: process.execPath, args: [...serverNodeOptions(), ownLauncher, "scheduler"] };

/** Of one scheduler alone; `access` is the API server's. */
export type SchedulerCluster = Omit<BenchCluster, "beganMs">;

/**
 * kube-apiserver over etcd with Node objects that nobody looks after, and one scheduler: pods are bound, and nothing else happens
 * to them. Resolves when the scheduler has bound a first pod.
 */
export async function startSchedulerCluster(
  scheduler: ServerName,
  nodes: number,
  signal: AbortSignal,
): Promise<SchedulerCluster> {
  const folder = await mkdtemp(join(tmpdir(), "coxswain-bench-scheduler-"));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  const keep = <T extends { stop(): Promise<unknown> }>(started: T): T => {
    stops.push(() => started.stop());
    return started;
  };
  try {
    const program = await programOf(scheduler);
    const { url } = keep(await startEtcd({ folder }));
    // New nodes get a taint that the node lifecycle controller takes away, and there is none.
    const disableAdmissionPlugins = ["ServiceAccount", "TaintNodesByCondition"];
    const server = keep(await startKubeApiserver({ folder, etcdUrl: url, disableAdmissionPlugins }));
    const api = connectApi(server.access, signal);
    await inParallel(nodes, 16, (index) => api.create("/api/v1/nodes", nodeOf(index)));
    const logFile = join(folder, "scheduler.log");
    const { pid } = keep(await startScheduler({ kubeconfig: server.kubeconfigFile, logFile, program }));
    const pods = "/api/v1/namespaces/default/pods";
    await api.create(pods, { metadata: { name: "first" }, spec: { containers: [{ name: "main", image: "nginx" }] } });
    await api.until<{ spec: { nodeName?: string } }>(`${pods}/first`, ({ spec }) => spec.nodeName !== undefined);
    api.close();
    return {
      access: server.access,
      residentBytes: () => residentBytes([pid]),
      cpuSeconds: () => cpuSeconds([pid]),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function nodeOf(index: number): object {
  const { metadata, status, ...rest } = simulatedNode(index);
  const labels = { ...metadata.labels, "topology.kubernetes.io/zone": `zone-${index % zones}` };
  const address = `10.${250 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
  const conditions = [{ type: "Ready", status: "True" }];
  return {
    ...rest,
    metadata: { ...metadata, labels },
    status: { ...status, conditions, addresses: [{ type: "InternalIP", address }] },
  };
}
