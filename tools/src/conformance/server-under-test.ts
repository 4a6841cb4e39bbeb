import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownLauncher, startCoxswain } from "../clients/index.js";
import { outsideAddress, startEtcd, startKubeApiserver } from "../upstream/index.js";
import { startOwnStore } from "./own-store.js";

/** A server that runs, and the files that a controller manager beside it needs. */
export interface ServerUnderTest {
  readonly kubeconfig: string;
  /** In PEM, like the two below: the cluster's authority. */
  readonly ca: string;
  readonly caKey: string;
  readonly serviceAccountKey: string;
  /** Resolves when the server ends, however it ended. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly server: "ours" | "upstream";
  /** For data, certificates and logs; must exist. */
  readonly folder: string;
  /** The launcher of another build of ours. */
  readonly coxswain?: string | undefined;
  /** Whose controller manager and scheduler stand beside the server. @default upstream */
  readonly controllers?: "ours" | "upstream";
  readonly scheduler?: "ours" | "upstream";
  /** What upstream's server keeps its data in. @default upstream: etcd */
  readonly store?: "ours" | "upstream";
}

/** Our command for a component, where ours was asked for. */
export const ownProgram = (
  whose: "ours" | "upstream" | undefined,
  command: string,
  launcher = ownLauncher,
): { command: string; args: string[] } | undefined =>
  whose === "ours" ? { command: process.execPath, args: [launcher, command] } : undefined;

/** Ours or upstream's with the same modes and plugins, for a cluster that has a controller manager. */
export const startServer = (options: ServerOptions): Promise<ServerUnderTest> =>
  options.server === "ours" ? startOurs(options) : startUpstream(options);

async function startOurs({ folder, coxswain }: ServerOptions): Promise<ServerUnderTest> {
  const dataDir = join(folder, "data");
  // There is a controller manager that makes the accounts of pods.
  const args = ["--enable-admission-plugins=ServiceAccount"];
  const server = await startCoxswain({ dataDir, args, ...(coxswain === undefined ? {} : { launcher: coxswain }) });
  void server.ended.then(() => writeFileSync(join(folder, "coxswain.log"), server.output()));
  const pki = (file: string): string => join(dataDir, "pki", file);
  return {
    kubeconfig: server.kubeconfig,
    ended: server.ended,
    ca: pki("ca.crt"),
    caKey: pki("ca.key"),
    serviceAccountKey: pki("sa.key"),
    stop: async () => void (await server.stop()),
  };
}

async function startUpstream({ folder, store, coxswain }: ServerOptions): Promise<ServerUnderTest> {
  const etcd = await (store === "ours" ? startOwnStore({ folder, coxswain }) : startEtcd({ folder, sync: false }));
  const address = outsideAddress();
  try {
    const server = await startKubeApiserver({
      folder,
      etcdUrl: etcd.url,
      authorizationMode: "Node,RBAC",
      disableAdmissionPlugins: [],
      // Nobody connects to it; it only stands in the Endpoints of the service "kubernetes", which a test reads.
      ...(address !== undefined && { flags: [`--advertise-address=${address}`] }),
    });
    return {
      kubeconfig: server.kubeconfigFile,
      ended: server.ended,
      ca: join(folder, "ca.crt"),
      caKey: join(folder, "ca.key"),
      serviceAccountKey: join(folder, "service-account.key"),
      async stop() {
        await server.stop();
        await etcd.stop();
      },
    };
  } catch (error) {
    await etcd.stop();
    throw error;
  }
}
