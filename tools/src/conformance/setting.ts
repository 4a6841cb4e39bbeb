import { join } from "node:path";
import { startControllerManager } from "../upstream/index.js";
import { ensureKubernetesService } from "./kubernetes-service.js";
import { startServer } from "./server-under-test.js";
import type { ServerOptions } from "./server-under-test.js";

/** What the tests run against. */
export interface Setting {
  readonly kubeconfig: string;
  /** Resolves with a sentence when a part of it ends by itself: without it, each test would fail after minutes. */
  readonly broken: Promise<string>;
  stop(): Promise<void>;
}

export interface SettingOptions extends ServerOptions {
  readonly say: (line: string) => void;
}

/** An API server without nodes, and upstream's controller manager. */
export async function startSetting(options: SettingOptions): Promise<Setting> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const server = await startServer(options);
    stops.push(() => server.stop());
    const logFile = join(options.folder, "kube-controller-manager.log");
    const manager = await startControllerManager({ ...server, logFile });
    stops.push(() => manager.stop());
    const broken = Promise.race([
      manager.ended.then(() => `kube-controller-manager has ended, see ${logFile}`),
      server.ended.then(() => `the API server has ended, see the logs in ${options.folder}`),
    ]);
    if (await ensureKubernetesService(server.kubeconfig)) options.say("made the service default/kubernetes, which the server lacks and the suite does not begin without");
    return { kubeconfig: server.kubeconfig, broken, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
