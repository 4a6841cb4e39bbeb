import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  findHierarchies,
  kubeletConfig,
  machineDirectory,
  onMachine,
  planHolder,
  proxyConfig,
} from "@coxswain/machines";
import { ensureProgram, type ManagedProcess, startProcess } from "../upstream/index.js";
import { networks, nodeAddress, nodeName } from "./addresses.js";
import { evictionHard, kubeletFlags } from "./kubelet-flags.js";
import type { NodeParts } from "./node-parts.js";
import type { OwnNamespaces } from "./own-namespaces.js";
import { performSteps } from "./perform-steps.js";
import { planMachine } from "./plan-machine.js";
import { policyRights } from "./policy-rights.js";
import { createRestartable, type Restartable } from "./restartable.js";
import type { Running } from "./running.js";
import { type Start, startContainerd, writeCniConfig } from "./start-containerd.js";
import { type ControlPlane, ownCommand } from "./start-control-plane.js";

export interface NodeOptions {
  readonly index: number;
  readonly parts: NodeParts;
  readonly plane: ControlPlane;
  /** Receives the logs of the node's programs. */
  readonly logs: string;
  /** For the machine's own directories. */
  readonly folder: string;
  readonly namespaces: OwnNamespaces;
  readonly launcher: string | undefined;
  readonly running: Running;
}

export interface StartedNode {
  readonly index: number;
  readonly name: string;
  /** Of the process that holds its namespaces. */
  readonly holder: number;
  readonly podCidr: string;
  /** Folders of its control groups, in all hierarchies. */
  readonly cgroups: readonly string[];
  readonly containerd: Restartable;
  readonly kubelet: Restartable;
}

/** A machine with containerd, a kubelet and, unless there is to be none, a service proxy; resolves when it has its network of pods. */
export async function startNode(options: NodeOptions): Promise<StartedNode> {
  const { index, folder, namespaces, plane } = options;
  const name = nodeName(index);
  const holder = await startHolder(options);
  const cgroup = `${namespaces.cgroupPrefix}-${name}`;
  const hierarchies = findHierarchies(await readFile("/proc/mounts", "utf8"));
  await performSteps(planMachine({ index, folder, holder, cgroup, hierarchies }), (undo) => namespaces.undo.add(undo));
  const start = programStarter(options, holder);
  const watched = async (program: string, begin: () => Promise<ManagedProcess>): Promise<Restartable> => {
    const started = await createRestartable(begin);
    options.running.add(`${program} of ${name}`, started);
    return started;
  };
  const containerd = await watched("containerd", () =>
    startContainerd({ version: options.parts.containerd, folder, start }),
  );
  const command = await kubeletCommand(options, cgroup);
  const kubelet = await watched("kubelet", async () => start("kubelet", command));
  const proxy = await proxyCommand(options);
  if (proxy !== undefined) await watched("kube-proxy", async () => start("kube-proxy", proxy));
  const podCidr = await Promise.race([podCidrOf(name, plane), options.running.failed]);
  await writeCniConfig(folder, podCidr);
  const cgroups = hierarchies.folders.map((hierarchy) => join(hierarchy, cgroup));
  return { index, name, holder, podCidr, cgroups, containerd, kubelet };
}

async function startHolder({ running }: NodeOptions): Promise<number> {
  const [program = "", ...args] = planHolder();
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  running.add("a machine", { stop: async () => void child.kill("SIGKILL") });
  await once(child.stdout, "data");
  return child.pid ?? -1;
}

function programStarter({ index, logs }: NodeOptions, holder: number): Start {
  return (name, command, env = process.env) => {
    const [program = "", ...args] = onMachine(holder, command);
    const logFile = join(logs, `${nodeName(index)}-${name}.log`);
    return startProcess({ name: `${name} of ${nodeName(index)}`, command: program, args, logFile, env });
  };
}

/** Writes what the kubelet reads, and returns its command line. */
async function kubeletCommand(options: NodeOptions, cgroup: string): Promise<readonly string[]> {
  const { index, parts, plane, folder, launcher } = options;
  const name = nodeName(index);
  const etc = machineDirectory(folder, "etc");
  const user = { commonName: `system:node:${name}`, organizations: ["system:nodes"] };
  const serving = await plane.files.issue(`${name}-serving`, user, [name, nodeAddress(index)]);
  const facts = {
    address: nodeAddress(index),
    cgroup,
    clientCa: plane.files.ca,
    resolvConf: join(etc, "resolv.conf"),
    dnsService: networks.dnsService,
    more: { evictionHard },
    ...serving,
  };
  const config = join(etc, "kubelet.json");
  await performSteps([
    { kind: "file", path: facts.resolvConf, content: `nameserver ${networks.bridge}\n` },
    { kind: "file", path: config, content: kubeletConfig(facts) },
  ]);
  const flags = kubeletFlags({ index, kubeconfig: await plane.kubeconfigFor(name, user), config });
  if (parts.kubelet === "upstream") return [await ensureProgram("kubelet"), "--v=2", ...flags];
  const { command, args } = ownCommand("kubelet", launcher);
  return [command, ...args, ...flags];
}

/** Likewise of the service proxy; undefined: there is to be none. */
async function proxyCommand({
  index,
  parts,
  plane,
  folder,
  launcher,
}: NodeOptions): Promise<readonly string[] | undefined> {
  if (parts.proxy === "none") return undefined;
  const config = join(machineDirectory(folder, "etc"), "kube-proxy.json");
  const kubeconfig = await plane.kubeconfigFor(`${nodeName(index)}-proxy`, { commonName: "system:kube-proxy" });
  await performSteps([
    {
      kind: "file",
      path: config,
      content: proxyConfig({ nodeName: nodeName(index), kubeconfig, pods: networks.pods }),
    },
  ]);
  const { command, args } =
    parts.proxy === "ours" ? ownCommand("proxy", launcher) : { command: await ensureProgram("kube-proxy"), args: [] };
  if (parts.policies !== undefined) await plane.kubectl(["apply", "--filename=-"], JSON.stringify(policyRights));
  const flags = parts.policies === undefined ? [] : ["--network-policy"];
  return [command, ...args, `--config=${config}`, ...flags];
}

/** The controller manager gives a node its network as soon as the kubelet has made the Node. */
async function podCidrOf(name: string, { kubectl }: ControlPlane): Promise<string> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const podCidr = await kubectl(["get", "node", name, "--ignore-not-found", "--output=jsonpath={.spec.podCIDR}"]);
    if (podCidr !== "") return podCidr;
    await sleep(300);
  }
  throw new Error(
    `node ${name} was given no network for pods: see the logs of its kubelet and of the controller manager`,
  );
}
