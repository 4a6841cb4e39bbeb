import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownLauncher, runProgram } from "../clients/index.js";
import {
  answersOk,
  type Certificates,
  type ClusterAccess,
  createCertificates,
  ensureProgram,
  formatKubeconfig,
  startControllerManager,
  startEtcd,
  startProcess,
  startScheduler,
} from "../upstream/index.js";
import { networks } from "./addresses.js";
import type { NodeParts, Whose } from "./node-parts.js";
import { apiserverFlags, apiserverHosts, apiserverUrl } from "./plan-apiserver.js";
import type { Running } from "./running.js";

export interface ControlPlane {
  readonly files: Certificates;
  /** Of an administrator. */
  readonly kubeconfig: string;
  /** Writes a kubeconfig with a client certificate for a user. */
  kubeconfigFor(name: string, user: { commonName: string; organizations?: readonly string[] }): Promise<string>;
  /** Runs kubectl as an administrator and answers what it prints. @throws its error */
  kubectl(args: readonly string[], input?: string): Promise<string>;
}

export interface ControlPlaneOptions {
  readonly parts: Pick<NodeParts, "apiserver" | "controllers" | "scheduler">;
  readonly folder: string;
  readonly launcher: string | undefined;
  readonly running: Running;
}

/** Our command for a component. */
export const ownCommand = (component: string, launcher = ownLauncher): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [launcher, component],
});

/** API server, controller manager and scheduler on the bridge, each a process of its own. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { parts, folder, running } = options;
  const files = await createCertificates(folder, apiserverHosts);
  const access: ClusterAccess = { server: apiserverUrl, ...files.admin };
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, formatKubeconfig(access), { mode: 0o600 });
  await startApiserver(options, files, access);
  const kubectlProgram = await ensureProgram("kubectl");
  const plane: ControlPlane = {
    files,
    kubeconfig,
    async kubeconfigFor(name, subject) {
      const { certificate, key } = await files.issue(name, subject);
      const path = join(folder, `${name}.kubeconfig`);
      const [clientCertificate, clientKey] = await Promise.all([readFile(certificate, "utf8"), readFile(key, "utf8")]);
      await writeFile(path, formatKubeconfig({ ...access, clientCertificate, clientKey }), { mode: 0o600 });
      return path;
    },
    async kubectl(args, input = "") {
      const result = await runProgram(kubectlProgram, ["--kubeconfig", kubeconfig, ...args], { input });
      if (result.code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${result.stderr.trim()}`);
      return result.stdout;
    },
  };
  const program = (whose: Whose, component: string): { command: string; args: string[] } | undefined =>
    whose === "ours" ? ownCommand(component, options.launcher) : undefined;
  running.add(
    "kube-controller-manager",
    await startControllerManager({
      ...files,
      kubeconfig: await plane.kubeconfigFor("controller-manager", { commonName: "system:kube-controller-manager" }),
      logFile: join(folder, "kube-controller-manager.log"),
      program: program(parts.controllers, "controller-manager"),
      flags: [
        "--allocate-node-cidrs=true",
        `--cluster-cidr=${networks.pods}`,
        `--service-cluster-ip-range=${networks.services}`,
        "--kube-api-qps=100",
        "--kube-api-burst=200",
      ],
    }),
  );
  running.add(
    "kube-scheduler",
    await startScheduler({
      kubeconfig: await plane.kubeconfigFor("scheduler", { commonName: "system:kube-scheduler" }),
      logFile: join(folder, "kube-scheduler.log"),
      program: program(parts.scheduler, "scheduler"),
    }),
  );
  return plane;
}

async function startApiserver(
  { parts, folder, launcher, running }: ControlPlaneOptions,
  files: Certificates,
  access: ClusterAccess,
): Promise<void> {
  const isOurs = parts.apiserver === "ours";
  const { command, args } = isOurs
    ? ownCommand("apiserver", launcher)
    : { command: await ensureProgram("kube-apiserver"), args: [] };
  const storage = isOurs
    ? [`--data-dir=${join(folder, "data")}`]
    : [`--etcd-servers=${await etcdUrl(folder, running)}`];
  const flags = apiserverFlags({
    files,
    kubeletClient: await files.issue("kubelet-client", {
      commonName: "kube-apiserver-kubelet-client",
      organizations: ["system:masters"],
    }),
    frontProxy: await files.issue("front-proxy", { commonName: "front-proxy" }),
    storage,
  });
  const server = startProcess({
    name: "the API server",
    command,
    args: [...args, ...flags],
    logFile: join(folder, "kube-apiserver.log"),
  });
  running.add("the API server", server);
  await server.waitUntil(() => answersOk(access, "/readyz"), { timeoutMs: 120_000 });
}

async function etcdUrl(folder: string, running: Running): Promise<string> {
  const etcd = await startEtcd({ folder, sync: false });
  running.add("etcd", etcd);
  return etcd.url;
}
