import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCoxswain } from "../clients/index.js";
import { startCluster } from "../kwok/cluster.js";
import { makeNodes } from "../kwok/simulated-nodes.js";
import { startControllerManager } from "../upstream/index.js";
import { ensureKubernetesService } from "./kubernetes-service.js";
import type { ServerOptions } from "./server-under-test.js";
import { ownProgram, startServer } from "./server-under-test.js";

/** What the tests run against. */
export interface Setting {
  readonly kubeconfig: string;
  /** Resolves with a sentence when a part of it ends by itself: without it, each test would fail after minutes. */
  readonly broken: Promise<string>;
  stop(): Promise<void>;
}

export interface SettingOptions extends Omit<ServerOptions, "server"> {
  /** `up`: everything is ours, in one process. */
  readonly server: ServerOptions["server"] | "up";
  /** Simulated ones, with a scheduler. @default 0 */
  readonly nodes?: number;
  readonly print: (line: string) => void;
}

/** An API server and a controller manager; with nodes also a scheduler and KWOK. */
export async function startSetting(options: SettingOptions): Promise<Setting> {
  const { nodes = 0 } = options;
  const { server } = options;
  const setting =
    server === "up"
      ? await startUp(options, nodes)
      : await (nodes === 0 ? startWithoutNodes({ ...options, server }) : startWithNodes({ ...options, server }, nodes));
  try {
    if (await ensureKubernetesService(setting.kubeconfig))
      options.print("made the service default/kubernetes, which the server lacks and the suite does not begin without");
    return setting;
  } catch (error) {
    await setting.stop();
    throw error;
  }
}

async function startUp(
  { folder, coxswain }: Pick<SettingOptions, "folder" | "coxswain">,
  nodes: number,
): Promise<Setting> {
  const cluster = await startCoxswain({
    command: "up",
    dataDir: join(folder, "data"),
    args: [`--nodes=${nodes}`],
    ...(coxswain === undefined ? {} : { launcher: coxswain }),
  });
  void cluster.ended.then(() => writeFileSync(join(folder, "coxswain.log"), cluster.output()));
  return {
    kubeconfig: cluster.kubeconfig,
    broken: cluster.ended.then(() => `the cluster has ended, see ${join(folder, "coxswain.log")}`),
    stop: async () => void (await cluster.stop()),
  };
}

async function startWithNodes(options: ServerOptions, nodes: number): Promise<Setting> {
  const cluster = await startCluster(options);
  try {
    await makeNodes(cluster.kubectl, nodes);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function startWithoutNodes(options: ServerOptions): Promise<Setting> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const server = await startServer(options);
    stops.push(() => server.stop());
    const logFile = join(options.folder, "kube-controller-manager.log");
    const manager = await startControllerManager({
      ...server,
      logFile,
      program: ownProgram(options.controllers, "controller-manager", options.coxswain),
    });
    stops.push(() => manager.stop());
    const broken = Promise.race([
      manager.ended.then(() => `kube-controller-manager has ended, see ${logFile}`),
      server.ended.then(() => `the API server has ended, see the logs in ${options.folder}`),
    ]);
    return { kubeconfig: server.kubeconfig, broken, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
