import type { Duplex } from "node:stream";
import type { Runtime } from "@coxswain/runtime";
import type { PodAddresses } from "../addresses/pod-addresses.js";
import { createFileTree, type FileTree } from "../languages/shell/file-tree.js";
import { type CachedPod, uidOf } from "../objects/cached-pod.js";
import { connectedPair } from "../runtime/connected-pair.js";
import { type ContainerRecord, RuntimeError, type SandboxRecord } from "../runtime/container-runtime.js";
import { statesUsage } from "./behaviour.js";
import { createCatchUpClock } from "./catch-up-clock.js";
import { type ContainerLog, createContainerLog } from "./container-log.js";
import { type ContainerShell, createContainerShell, hasProgram, hostnameOf, userOf } from "./container-shell.js";
import { exitRecord } from "./exit-record.js";
import { planNetworkFiles } from "./network-files.js";
import { ownConfig, type SimulatedConfig } from "./own-config.js";
import { networkOf } from "./pod-network.js";
import { answererOf } from "./port-answer.js";
import type { ProgramFacts } from "./port-server.js";
import { type ProcessExit, type Program, startProcess } from "./process.js";
import type { SimulatedMachine } from "./simulated-machine.js";
import { configOf, refreshMounts, type SimulatedContainer, type SimulatedPod } from "./simulated-pod.js";

export interface SimulatedPodsOptions {
  readonly runtime: Runtime;
  /** Of the node's pod range. */
  readonly addresses: PodAddresses;
  /** Shared by the nodes of a process. */
  readonly machine: SimulatedMachine;
  /** A configuration made from a pod's status, with variables and mounts. */
  complete(config: SimulatedConfig): Promise<SimulatedConfig>;
}

const simulatedLog = "(a simulated container: its program does not run, so it prints nothing, see docs/nodes.md)\n";

/** The sandboxes and containers of one simulated node, and what runs in them. */
export class SimulatedPods {
  readonly #options: SimulatedPodsOptions;
  readonly #pods = new Map<string, SimulatedPod>();
  readonly #bySandbox = new Map<string, SimulatedPod>();
  readonly #containers = new Map<string, SimulatedContainer>();
  /** Running containers whose rules state what they use. */
  readonly #stated = new Set<SimulatedContainer>();
  /** Directories of the node itself, by path. */
  readonly #nodeVolumes = new Map<string, FileTree>();
  readonly #listeners = new Set<(podUid: string) => void>();

  constructor(options: SimulatedPodsOptions) {
    this.#options = options;
  }

  get stated(): ReadonlySet<SimulatedContainer> {
    return this.#stated;
  }

  all(): Iterable<[uid: string, home: SimulatedPod]> {
    return this.#pods;
  }

  ofPod(uid: string): SimulatedPod | undefined {
    return this.#pods.get(uid);
  }

  ofSandbox(id: string): SimulatedPod | undefined {
    return this.#bySandbox.get(id);
  }

  container(id: string): SimulatedContainer | undefined {
    return this.#containers.get(id);
  }

  /** @throws RuntimeError */
  find(id: string): SimulatedContainer {
    const container = this.#containers.get(id);
    if (!container) throw new RuntimeError(`container "${id}" not found`);
    return container;
  }

  onEvent(listener: (podUid: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  notify(uid: string): void {
    for (const listener of this.#listeners) listener(uid);
  }

  addSandbox(pod: CachedPod, sandbox: SandboxRecord): SimulatedPod {
    const uid = uidOf(pod);
    const known = this.#pods.get(uid);
    const home: SimulatedPod = known ?? { pod, sandboxes: [], containers: new Map(), volumes: new Map() };
    home.pod = pod;
    home.sandboxes = [sandbox].concat(home.sandboxes);
    this.#pods.set(uid, home);
    this.#bySandbox.set(sandbox.id, home);
    return home;
  }

  stopSandbox(id: string): void {
    const home = this.#bySandbox.get(id);
    if (home?.sandboxes.find((sandbox) => sandbox.id === id)?.state !== "ready") return;
    for (const container of containersIn(home, id)) container.process?.kill();
    this.#release(home, id);
  }

  removeSandbox(id: string): void {
    const home = this.#bySandbox.get(id);
    if (!home) return;
    this.#release(home, id);
    this.#bySandbox.delete(id);
    home.sandboxes = home.sandboxes.filter((sandbox) => sandbox.id !== id);
    for (const container of containersIn(home, id)) this.removeContainer(container);
    if (home.sandboxes.length > 0) return;
    for (const tree of home.volumes.values()) tree.discard();
    this.#pods.delete(uidOf(home.pod));
  }

  #release(home: SimulatedPod, id: string): void {
    home.sandboxes = home.sandboxes.map((sandbox) => {
      if (sandbox.id !== id || sandbox.state !== "ready") return sandbox;
      for (const ip of sandbox.ips) this.#options.addresses.release(ip);
      return { ...sandbox, state: "notReady", ips: [] };
    });
  }

  addContainer(container: SimulatedContainer): void {
    const { home, record } = container;
    home.containers.set(record.name, [container, ...(home.containers.get(record.name) ?? [])]);
    this.#containers.set(record.id, container);
  }

  removeContainer(container: SimulatedContainer): void {
    const { home, record } = container;
    this.#discard(container);
    const runs = (home.containers.get(record.name) ?? []).filter((run) => run !== container);
    if (runs.length > 0) home.containers.set(record.name, runs);
    else home.containers.delete(record.name);
  }

  /** What a container that nobody asks about any more held in memory. */
  #discard({ record, shell, log }: SimulatedContainer): void {
    this.#containers.delete(record.id);
    shell?.kill();
    shell?.discard();
    log?.discard();
  }

  /** Begins the container's process; one that was started long ago is brought to where it would be. */
  begin(container: SimulatedContainer, startedAt: number): void {
    const { runtime } = this.#options;
    const { clock } = runtime;
    const { behaviour } = container;
    const caughtUp = container.isAdopted ? createCatchUpClock(clock, startedAt) : undefined;
    const on = caughtUp ? { ...runtime, clock: caughtUp } : runtime;
    container.replay = caughtUp;
    const { record } = container;
    const config = configOf(container);
    container.record = Object.assign({}, record, { state: "running", startedAt, user: recordedUser(config) } as const);
    if (statesUsage(behaviour)) this.#stated.add(container);
    if (behaviour.logs !== undefined || behaviour.logsFile !== undefined) void this.#printLogs(container);
    container.process = startProcess({
      behaviour,
      program: hasProgram(config) ? this.#programOf(container, on) : undefined,
      clock: on.clock,
      onExit: (exit) => this.#exited(container, exit),
    });
  }

  /** Prints what the container's rules give it to print. */
  async #printLogs(container: SimulatedContainer): Promise<void> {
    const { logs, logsFile } = container.behaviour;
    const log = this.logOf(container);
    if (logs !== undefined) log.write("stdout", Buffer.from(logs.endsWith("\n") ? logs : `${logs}\n`));
    if (logsFile === undefined) return;
    await this.complete(container);
    await refreshMounts(container);
    const content = this.shellOf(container).files.read(logsFile);
    log.write("stdout", content ?? Buffer.from(`(simulation: the container has no file ${logsFile})\n`));
  }

  /** What a container has printed. One whose program nobody knows printed nothing: a line explains that. */
  readableLogOf(container: SimulatedContainer): ContainerLog {
    const log = this.logOf(container);
    if (log.isEmpty && !hasProgram(configOf(container))) log.write("stderr", Buffer.from(simulatedLog));
    return log;
  }

  #programOf(container: SimulatedContainer, runtime: Runtime): Program | undefined {
    if (!container.isAdopted) return this.shellOf(container, runtime).main;
    const main = async (): Promise<Program | undefined> => {
      await this.complete(container);
      return this.shellOf(container, runtime).main;
    };
    return {
      run: async (signal) => (await main())?.run(signal) ?? 0,
      onTerminate: async (signal) => (await main())?.onTerminate(signal),
    };
  }

  /** What runs in a container sees its variables and volumes, also where an earlier process started it. */
  complete(container: SimulatedContainer): Promise<void> {
    if (!container.isAdopted) return Promise.resolve();
    return (container.completed ??= this.#options.complete(configOf(container)).then(
      (config) => void (container.config = ownConfig(config)),
      (error: unknown) => {
        const { name } = container.config;
        this.#options.runtime.log.warn("a container goes on without its volumes and variables", { name, error });
      },
    ));
  }

  #exited(container: SimulatedContainer, exit: ProcessExit): void {
    container.process = undefined;
    this.#stated.delete(container);
    container.shell?.kill();
    container.record = exitRecord(container, exit, this.#options.runtime.clock.now());
    container.log?.close();
    for (const resolve of container.exited.splice(0)) resolve();
    this.notify(uidOf(container.home.pod));
  }

  logOf(container: SimulatedContainer): ContainerLog {
    const { runtime, machine } = this.#options;
    return (container.log ??= createContainerLog(runtime.clock, machine.logs));
  }

  shellOf(container: SimulatedContainer, runtime: Runtime = this.#options.runtime): ContainerShell {
    const { machine } = this.#options;
    return (container.shell ??= createContainerShell({
      config: configOf(container),
      runtime,
      log: this.logOf(container),
      machine,
      isReplaying: () => container.replay?.isReplaying ?? false,
      terminate: () => container.process?.terminate(),
      network: networkOf(
        {
          pod: container.home.pod,
          hostname: hostnameOf(container.home.pod),
          ips: () => container.home.sandboxes[0]?.ips ?? [],
          openPort: (port) => this.#openOwnPort(container.home, port),
        },
        machine.network,
      ),
      etc: (hostname) => {
        const { pod } = container.home;
        const ips = container.home.sandboxes[0]?.ips ?? [];
        const { hosts, resolvConf } = planNetworkFiles(pod, { hostname, ips, cluster: machine.network });
        return { hostname: `${hostname}\n`, hosts, "resolv.conf": resolvConf };
      },
      scratch: (name) => this.#treeOf(name.startsWith("/") ? this.#nodeVolumes : container.home.volumes, name),
    }));
  }

  /** What a simulated program of a container has. */
  factsOf(container: SimulatedContainer): ProgramFacts {
    const { runtime } = this.#options;
    return {
      runtime,
      args: [...container.config.command, ...container.config.args],
      env: (name) => container.config.env.get(name) ?? "",
      read: async (path) => {
        await this.complete(container);
        await refreshMounts(container);
        return this.shellOf(container).files.read(path);
      },
      print: (line) => this.logOf(container).write("stdout", Buffer.from(`${line}\n`)),
    };
  }

  /** A connection of a pod to itself. */
  #openOwnPort(home: SimulatedPod, port: number): Duplex | undefined {
    const answer = answererOf(home, { port, transport: "tcp", factsOf: (container) => this.factsOf(container) });
    if (!answer) return undefined;
    const [ours, theirs] = connectedPair();
    ours.on("error", () => {}); // "close" follows
    const incoming = ours.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    answer({ incoming, write: (chunk) => void ours.write(chunk) })
      .then(() => ours.end())
      .catch(() => ours.destroy());
    return theirs;
  }

  #treeOf(trees: Map<string, FileTree>, name: string): FileTree {
    let tree = trees.get(name);
    if (!tree) trees.set(name, (tree = createFileTree(this.#options.machine.disk)));
    return tree;
  }

  /** As when the machine loses power: nothing that ran is there any more, and nobody reports what happened to it. */
  lose(): void {
    for (const container of this.#containers.values()) {
      const { process } = container;
      container.process = undefined;
      this.removeContainer(container);
      process?.kill();
    }
    for (const id of this.#bySandbox.keys()) this.removeSandbox(id);
    this.#stated.clear();
  }
}

const containersIn = ({ containers }: SimulatedPod, sandboxId: string): SimulatedContainer[] =>
  [...containers.values()].flat().filter(({ record }) => record.sandboxId === sandboxId);

function recordedUser(config: SimulatedConfig): NonNullable<ContainerRecord["user"]> {
  const { userId: uid, groupId: gid } = userOf(config);
  return { uid, gid, supplementalGroups: [gid] };
}
