import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCoxswain } from "../clients/index.js";
import { startControllerManager, startEtcd, startKubeApiserver } from "../upstream/index.js";
import { ensureKubernetesService } from "./kubernetes-service.js";

/** What the tests run against. */
export interface Setting {
  readonly kubeconfig: string;
  /** Resolves with a sentence when a part of it ends by itself: without it, each test would fail after minutes. */
  readonly broken: Promise<string>;
  stop(): Promise<void>;
}

export interface SettingOptions {
  readonly server: "ours" | "upstream";
  /** For data, certificates and logs; must exist. */
  readonly folder: string;
  readonly coxswain: string | undefined;
  readonly say: (line: string) => void;
}

/** An API server without nodes, and upstream's controller manager. */
export async function startSetting(options: SettingOptions): Promise<Setting> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const server = options.server === "ours" ? await startOurs(options, stops) : await startUpstream(options, stops);
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

interface Server {
  readonly kubeconfig: string;
  readonly ca: string;
  readonly caKey: string;
  readonly serviceAccountKey: string;
  readonly ended: Promise<void>;
}

async function startOurs({ folder, coxswain }: SettingOptions, stops: (() => Promise<unknown>)[]): Promise<Server> {
  const dataDir = join(folder, "data");
  const server = await startCoxswain({ dataDir, ...(coxswain === undefined ? {} : { launcher: coxswain }) });
  void server.ended.then(() => writeFileSync(join(folder, "coxswain.log"), server.output()));
  stops.push(() => server.stop());
  const pki = (file: string): string => join(dataDir, "pki", file);
  return { kubeconfig: server.kubeconfig, ended: server.ended, ca: pki("ca.crt"), caKey: pki("ca.key"), serviceAccountKey: pki("sa.key") };
}

async function startUpstream({ folder }: SettingOptions, stops: (() => Promise<unknown>)[]): Promise<Server> {
  const etcd = await startEtcd({ folder, sync: false });
  stops.push(() => etcd.stop());
  const server = await startKubeApiserver({ folder, etcdUrl: etcd.url, authorizationMode: "Node,RBAC", disableAdmissionPlugins: [] });
  stops.push(() => server.stop());
  return { kubeconfig: server.kubeconfigFile, ended: server.ended, ca: join(folder, "ca.crt"), caKey: join(folder, "ca.key"), serviceAccountKey: join(folder, "service-account.key") };
}
