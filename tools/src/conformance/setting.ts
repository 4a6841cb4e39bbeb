import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCoxswain } from "../clients/index.js";
import { startControllerManager, startEtcd, startKubeApiserver } from "../upstream/index.js";
import type { ManagedProcess } from "../upstream/index.js";
import { ensureKubernetesService } from "./kubernetes-service.js";

/** What the tests run against. */
export interface Setting {
  readonly kubeconfig: string;
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
    const manager: ManagedProcess = await startControllerManager({ ...server, logFile: join(options.folder, "kube-controller-manager.log") });
    stops.push(() => manager.stop());
    if (await ensureKubernetesService(server.kubeconfig)) options.say("made the service default/kubernetes, which the server lacks and the suite does not begin without");
    return { kubeconfig: server.kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface ServerFiles {
  readonly kubeconfig: string;
  readonly ca: string;
  readonly caKey: string;
  readonly serviceAccountKey: string;
}

async function startOurs({ folder, coxswain }: SettingOptions, stops: (() => Promise<unknown>)[]): Promise<ServerFiles> {
  const dataDir = join(folder, "data");
  const server = await startCoxswain({ dataDir, ...(coxswain === undefined ? {} : { launcher: coxswain }) });
  stops.push(async () => {
    writeFileSync(join(folder, "coxswain.log"), server.output());
    await server.stop();
  });
  const pki = (file: string): string => join(dataDir, "pki", file);
  return { kubeconfig: server.kubeconfig, ca: pki("ca.crt"), caKey: pki("ca.key"), serviceAccountKey: pki("sa.key") };
}

async function startUpstream({ folder }: SettingOptions, stops: (() => Promise<unknown>)[]): Promise<ServerFiles> {
  const etcd = await startEtcd({ folder, sync: false });
  stops.push(() => etcd.stop());
  const server = await startKubeApiserver({ folder, etcdUrl: etcd.url, authorizationMode: "Node,RBAC", disableAdmissionPlugins: [] });
  stops.push(() => server.stop());
  return { kubeconfig: server.kubeconfigFile, ca: join(folder, "ca.crt"), caKey: join(folder, "ca.key"), serviceAccountKey: join(folder, "service-account.key") };
}
