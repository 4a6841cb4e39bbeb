import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, realpath } from "node:fs/promises";
import { connect } from "node:net";
import { delimiter, dirname, join } from "node:path";
import type { Runtime } from "@coxswain/runtime";
import { pollUntil } from "@coxswain/runtime/wait";
import { containerdConfig, containerdSocket } from "../config/containerd-config.js";
import { addressIn, parseNetwork } from "../networks/ipv4-network.js";
import { ipv6AddressIn, prefixLengthOf } from "../networks/ipv6-networks.js";
import type { MachineNetworks } from "../plan/choose-networks.js";
import { onMachine, planHolder } from "../plan/namespaces.js";
import { inCgroup } from "../plan/plan-cgroup.js";
import { type LinkFacts, planMachine } from "../plan/plan-machine.js";
import { machineDirectory } from "../plan/plan-mounts.js";
import { linkPrefix, type MachineSite, machinesFolder } from "./machine-site.js";
import { askPodsToEnd } from "./stop-pods.js";
import { type Supervised, supervise } from "./supervise.js";

export interface MachineOptions {
  /** From 1. */
  readonly index: number;
  /** Of the machine and of the node. */
  readonly name: string;
  /** Directories that its programs need: of the programs themselves, and of files that they are given. */
  readonly keep: readonly string[];
  readonly containerd: {
    readonly program: string;
    readonly majorVersion: number;
    readonly cniPrograms: readonly string[];
    readonly hostsFolder: string;
    readonly pauseImage: string;
  };
}

/** A machine whose container runtime answers. */
export interface RunningMachine {
  readonly name: string;
  readonly address: string;
  /** `unix://…`, inside of the machine. */
  readonly endpoint: string;
  readonly places: MachinePlaces;
  /** Of the process that holds its namespaces. */
  readonly holder: number;
  readonly containerd: Supervised;
  /** Starts a program on the machine, and again when it ends. */
  run(name: string, command: readonly string[]): Supervised;
  /** Ends its programs, then its pods with at most so much time. Its namespaces are the site's to remove. */
  stop(graceMs: number): Promise<void>;
}

/** Names of what one machine has, by its number. */
export interface MachinePlaces {
  readonly folder: string;
  readonly etc: string;
  /** Of CNI configurations: pods get no network before there is one. */
  readonly cniFolder: string;
  readonly resolvConf: string;
  readonly logs: string;
  /** The kubelet's `cgroupRoot`, without its slash. */
  readonly cgroup: string;
  readonly address: string;
  /** Of a dual-stack cluster. */
  readonly ipv6Address?: string;
  readonly link: string;
}

export function machinePlaces(
  site: Pick<MachineSite, "folder" | "networks" | "cgroup" | "id">,
  { index, name }: Pick<MachineOptions, "index" | "name">,
): MachinePlaces {
  const folder = join(machinesFolder(site.folder), name);
  const { ipv6 } = site.networks;
  const etc = machineDirectory(folder, "etc");
  return {
    folder,
    etc,
    cniFolder: join(etc, "cni"),
    resolvConf: join(etc, "resolv.conf"),
    logs: join(folder, "logs"),
    cgroup: `${site.cgroup}/${name}`,
    address: addressIn(site.networks.nodes, 10 + index),
    ...(ipv6 && { ipv6Address: ipv6AddressIn(ipv6.nodes, 10 + index) }),
    link: `${linkPrefix}${site.id}-${index}`,
  };
}

const ipv6LinkOf = ({ ipv6 }: MachineNetworks, { ipv6Address: address }: MachinePlaces): Pick<LinkFacts, "ipv6"> =>
  ipv6 && address !== undefined
    ? { ipv6: { address, prefixLength: prefixLengthOf(ipv6.nodes), gateway: ipv6AddressIn(ipv6.nodes, 1) } }
    : {};

/** Milliseconds that a container runtime has to answer: on a busy machine it takes seconds. */
const containerdWaitMs = 60_000;
/** Milliseconds that a node's programs have to end by themselves. */
const programGraceMs = 1000;

/** Namespaces, directories and network of a machine, and its container runtime; resolves when that answers. */
export async function startMachine(
  runtime: Runtime,
  site: MachineSite,
  options: MachineOptions,
): Promise<RunningMachine> {
  const places = machinePlaces(site, options);
  const holder = await startHolder(site);
  await site.perform([
    { kind: "directory", path: places.cniFolder },
    { kind: "directory", path: places.logs },
    { kind: "file", path: places.resolvConf, content: `nameserver ${site.gateway}\n` },
    ...planMachine({
      name: options.name,
      folder: places.folder,
      holder,
      cgroup: places.cgroup,
      isTopCgroup: false,
      hierarchies: site.hierarchies,
      keep: [site.folder, ...options.keep],
      resolver: await resolver(places.resolvConf),
      link: {
        name: places.link,
        bridge: site.bridge,
        address: places.address,
        prefixLength: parseNetwork(site.networks.nodes)?.prefixLength ?? 24,
        gateway: site.gateway,
        ...ipv6LinkOf(site.networks, places),
      },
    }),
  ]);
  const programs: Supervised[] = [];
  const run = (name: string, command: readonly string[], env?: NodeJS.ProcessEnv): Supervised => {
    const started = supervise(runtime, {
      name: `${name} of ${options.name}`,
      command: inCgroup(site.programs, onMachine(holder, command)),
      logFile: join(places.logs, `${name}.log`),
      ...(env && { env }),
    });
    programs.push(started);
    return started;
  };
  const containerd = await startContainerd(runtime, { site, options, places, holder, run });
  return {
    name: options.name,
    address: places.address,
    endpoint: `unix://${containerdSocket}`,
    places,
    holder,
    containerd,
    run,
    async stop(graceMs) {
      // What was started last ends first: a kubelet before the runtime.
      for (const program of programs.reverse()) if (program !== containerd) await program.stop(programGraceMs);
      const { hierarchies } = site;
      await askPodsToEnd(runtime.ioClock, { hierarchies, cgroup: places.cgroup, graceMs });
      await containerd.stop(programGraceMs);
    },
  };
}

async function startHolder(site: MachineSite): Promise<number> {
  const [program = "", ...args] = inCgroup(site.programs, planHolder());
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"], detached: true });
  await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`unshare ended with ${code}`))),
  ]);
  child.stdout.destroy();
  child.unref();
  return child.pid ?? -1;
}

/** Where this machine's file leads: a link into /run would lead nowhere on the other one. */
const resolver = (own: string): Promise<{ path: string; own: string } | undefined> =>
  realpath("/etc/resolv.conf").then(
    (path) => ({ path, own }),
    () => undefined, // there is none to replace
  );

interface ContainerdParts {
  readonly site: MachineSite;
  readonly options: MachineOptions;
  readonly places: MachinePlaces;
  readonly holder: number;
  run(name: string, command: readonly string[], env?: NodeJS.ProcessEnv): Supervised;
}

async function startContainerd(
  { ioClock: clock }: Runtime,
  { site, options, places, holder, run }: ContainerdParts,
): Promise<Supervised> {
  const { program, ...facts } = options.containerd;
  const config = join(places.etc, "containerd.toml");
  const content = containerdConfig({
    ...facts,
    cniFolder: places.cniFolder,
    mayLowerOomScores: await mayLowerOomScores(),
  });
  await site.perform([{ kind: "file", path: config, content }]);
  // It looks for its shim in the path: the one that belongs to it stands next to it.
  const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env["PATH"] ?? ""}` };
  const containerd = run("containerd", [program, `--config=${config}`], env);
  const answers = (): Promise<boolean> => canConnect(`/proc/${holder}/root${containerdSocket}`);
  if (!(await pollUntil(answers, { intervalMs: 20, timeoutMs: containerdWaitMs, clock })))
    throw new Error(`containerd of ${options.name} does not answer: see ${join(places.logs, "containerd.log")}`);
  return containerd;
}

const canConnect = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    const end = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", end(true)).once("error", end(false));
  });

/** CAP_SYS_RESOURCE (capability 24) is among the effective ones of this process. */
async function mayLowerOomScores(): Promise<boolean> {
  const [, effective = "0"] = /^CapEff:\s*([0-9a-f]+)/m.exec(await readFile("/proc/self/status", "utf8")) ?? [];
  return (BigInt(`0x${effective}`) & (1n << 24n)) !== 0n;
}
