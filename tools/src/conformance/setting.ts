import { join } from "node:path";
import { startCluster } from "../kwok/cluster.js";
import { makeNodes } from "../kwok/simulated-nodes.js";
import { startControllerManager } from "../upstream/index.js";
import { ensureKubernetesService } from "./kubernetes-service.js";
import { ownProgram, startServer } from "./server-under-test.js";
import type { ServerOptions } from "./server-under-test.js";

/** What the tests run against. */
export interface Setting {
  readonly kubeconfig: string;
  /** Resolves with a sentence when a part of it ends by itself: without it, each test would fail after minutes. */
  readonly broken: Promise<string>;
  stop(): Promise<void>;
}

export interface SettingOptions extends ServerOptions {
  /** Simulated ones, with a scheduler. @default 0 */
  readonly nodes?: number;
  readonly say: (line: string) => void;
}

/** An API server and a controller manager; with nodes also a scheduler and KWOK. */
export async function startSetting(options: SettingOptions): Promise<Setting> {
  const { nodes = 0 } = options;
  const setting = nodes === 0 ? await startWithoutNodes(options) : await startWithNodes(options, nodes);
  try {
    if (await ensureKubernetesService(setting.kubeconfig))
      options.say("made the service default/kubernetes, which the server lacks and the suite does not begin without");
    return setting;
  } catch (error) {
    await setting.stop();
    throw error;
  }
}

async function startWithNodes(options: SettingOptions, nodes: number): Promise<Setting> {
  const cluster = await startCluster(options);
  try {
    await makeNodes(cluster.kubectl, nodes);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function startWithoutNodes(options: SettingOptions): Promise<Setting> {
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
