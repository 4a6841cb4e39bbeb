import { getOwn } from "@coxswain/apimachinery/own";
import type { Runtime } from "@coxswain/runtime";
import { slept } from "@coxswain/runtime/wait";
import { createCgroup } from "../languages/shell/cgroup.js";
import { commands } from "../languages/shell/commands.js";
import { createFileSystem, type FileSystem } from "../languages/shell/file-system.js";
import { createFileTree, type FileTree, readOnlyTree, replayedTree } from "../languages/shell/file-tree.js";
import type { ContainerNetwork } from "../languages/shell/network.js";
import { runProcess } from "../languages/shell/run-process.js";
import { bytesOf, fail, type ShellProcess } from "../languages/shell/shell-process.js";
import { emptyInput, inputFrom } from "../languages/shell/streams.js";
import { Terminal } from "../languages/shell/terminal.js";
import { type CachedPod, findContainer, initContainersOf, isSidecar, nameOf } from "../objects/cached-pod.js";
import type { ExecStreams, FileSource } from "../runtime/container-runtime.js";
import type { ContainerLog } from "./container-log.js";
import { createMainInput } from "./main-input.js";
import type { SimulatedConfig } from "./own-config.js";
import type { Program } from "./process.js";
import type { SimulatedMachine } from "./simulated-machine.js";

export interface ContainerShellOptions {
  readonly config: SimulatedConfig;
  readonly runtime: Runtime;
  readonly log: ContainerLog;
  readonly machine: SimulatedMachine;
  /** Whether its program does again what it did in an earlier process; persistent volumes have that already. */
  isReplaying(): boolean;
  /** The files of a volume that lives as long as the pod, or the node. */
  scratch(volume: string): FileTree;
  /** Sends the container's own process the stop signal. */
  terminate(): void;
  readonly network: ContainerNetwork;
  /** Files that a kubelet makes in /etc, by name. */
  etc(hostname: string): Readonly<Record<string, string>>;
}

/** The processes of one simulated container: its command, and commands that are run in it later. */
export interface ContainerShell {
  /** What the container's command does; undefined: nobody knows it, so it runs for ever. */
  readonly main: Program | undefined;
  exec(command: readonly string[], streams: ExecStreams, signal: AbortSignal): Promise<number>;
  /**
   * Runs a probe, a hook: a program that nobody knows is taken for one that does its work, and decides the whole.
   * @param isHealthy what such a program returns
   */
  check(command: readonly string[], streams: ExecStreams, options: CheckOptions): Promise<number>;
  /** Gives the container's own process something to read, until the input ends. */
  feed(stdin: AsyncIterable<Uint8Array>, onResize: ExecStreams["onResize"]): Promise<void>;
  readonly files: FileSystem;
  /** Whether a process was killed because the container's memory was used up. */
  readonly isOutOfMemory: boolean;
  /** Ends all that still runs in the container. */
  kill(): void;
  /** Nobody reads its files any more. */
  discard(): void;
}

export interface CheckOptions {
  readonly signal: AbortSignal;
  isHealthy(): boolean;
}

const never = 2 ** 50;

const defaultEnvironment: readonly (readonly [string, string])[] = [
  ["PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
  ["HOME", "/root"],
];

const containerFacts = (
  { config, terminate, network }: ContainerShellOptions,
  argv: readonly string[],
): ShellProcess["container"] => ({
  network,
  ...userOf(config),
  command: argv.join(" ") || config.image.image,
  terminate: () => terminate(),
});

type ProcessStreams = Pick<ShellProcess, "stdin" | "stdout" | "stderr"> & { readonly terminal?: Terminal };

/** On stderr of commands that people run. */
const simulatedNote = "(a simulated container: it has a small shell and no files of its image, see docs/nodes.md)";
const outsideNote =
  "(a simulated container: it reaches pods and services of its cluster by plain HTTP, the API server by HTTPS, and nothing else, see docs/nodes.md)";

/** What people see of a command that is not there, or that asks for more than there is. */
const explain: ShellProcess["unknown"] = async ([name = ""], process, failure) => {
  if (!failure) return fail(process, `sh: ${name}: not found\n${simulatedNote}`, 127);
  const note = failure.isOfImage ? simulatedNote : outsideNote;
  return failure.text === "" ? failure.code : fail(process, `${failure.text}\n${note}`, failure.code);
};

export function createContainerShell(options: ContainerShellOptions): ContainerShell {
  const { config, runtime, log, machine } = options;
  const { clock } = runtime;
  const root = createFileTree(machine.disk);
  const files = mountFiles(options, root);
  const hostname = hostnameOf(config.pod);
  // Outside of all mounts: a volume at one of them takes its place.
  for (const [name, text] of Object.entries(options.etc(hostname))) root.write(`etc/${name}`, bytesOf(text));
  const argv = argvOf(config);
  const traps = new Map<string, string>();
  const cgroup = createCgroup(machine);
  const container = containerFacts(options, argv);

  /** Runs a command as a process of the container. */
  async function start(
    command: readonly string[],
    signal: AbortSignal,
    streams: ProcessStreams & Pick<ShellProcess, "unknown" | "onSimulated">,
  ): Promise<number> {
    const session = cgroup.startSession(signal);
    return runProcess(command, {
      environment: [...defaultEnvironment, ["HOSTNAME", hostname], ...config.env],
      session,
      directory: config.workingDir || "/",
      around: { files, runtime, hostname, container, traps, ...streams },
    });
  }

  /** A program that nobody knows does its work: for a Job that means it ends, for others that it goes on. */
  const unknownProgram: ShellProcess["unknown"] = async (_argv, { session: { signal } }) => {
    if (!endsByItself(config)) await slept(never, { clock, signal });
    signal.throwIfAborted();
    return 0;
  };
  const input = createMainInput(config, cgroup.memory, {
    stdout: { write: (chunk: Uint8Array) => log.write("stdout", chunk), drained: () => log.drained() },
    stderr: { write: (chunk: Uint8Array) => log.write("stderr", chunk), drained: () => log.drained() },
  });
  const own = { ...input.streams, unknown: unknownProgram };

  /** As a check of the container. */
  async function startLenient(
    command: readonly string[],
    signal: AbortSignal,
    { streams, isHealthy }: { readonly streams: ProcessStreams; isHealthy(): boolean },
  ): Promise<number> {
    const verdict = createVerdict(isHealthy);
    const { unknown, onSimulated } = verdict;
    return verdict.of(await start(command, signal, { ...streams, unknown, onSimulated }));
  }

  return {
    files,
    get isOutOfMemory() {
      return cgroup.isOutOfMemory;
    },
    kill: () => cgroup.kill(),
    discard: () => root.discard(),
    main:
      isKnown(argv, config) || endsByItself(config)
        ? {
            run: (signal) =>
              isInit(config)
                ? startLenient(argv, signal, { streams: input.streams, isHealthy: () => true })
                : start(argv, signal, own),
            onTerminate: (signal) =>
              runTrap(traps, { clock, signal, run: (handler) => start(["sh", "-c", handler], signal, own) }),
          }
        : undefined,
    exec: (command, streams, signal) =>
      start(command, signal, {
        ...processStreams(streams),
        unknown: explain,
      }),
    check: (command, streams, { signal, isHealthy }) =>
      startLenient(command, signal, { streams: processStreams(streams), isHealthy }),
    feed: (stdin, onResize) => input.feed(stdin, onResize),
  };
}

interface Verdict {
  unknown(): Promise<number>;
  onSimulated(): void;
  of(code: number): number;
}

/**
 * A program that nobody knows is taken for one that does its work, and decides the whole. So is one that answers in the network: a script
 * may look for words that only the real one prints.
 */
function createVerdict(isHealthy: () => boolean): Verdict {
  let isKnown = true;
  return {
    async unknown() {
      isKnown = false;
      return 0;
    },
    onSimulated: () => void (isKnown = false),
    of: (code) => (isKnown ? code : Number(!isHealthy())),
  };
}

/** What a command that is run in a container reads and writes: by a terminal, where the client has one. */
function processStreams(streams: ExecStreams): ProcessStreams {
  const { stdin, tty, onResize } = streams;
  const stdout = { write: (chunk: Uint8Array) => streams.stdout(chunk), drained: () => streams.drained() };
  const stderr = { write: (chunk: Uint8Array) => streams.stderr(chunk), drained: () => streams.drained() };
  if (!tty) return { stdin: stdin ? inputFrom(stdin) : emptyInput, stdout, stderr };
  const terminal = new Terminal({ keys: stdin ?? noKeys(), screen: stdout });
  onResize?.((size) => terminal.resize(size));
  return { stdin: terminal.input, stdout: terminal.output, stderr: terminal.output, terminal };
}

async function* noKeys(): AsyncGenerator<Uint8Array> {}

const mountFiles = ({ config, ...options }: ContainerShellOptions, root: FileTree): FileSystem =>
  createFileSystem(
    config.mounts.map(({ path, readOnly, source, subPath = "" }) => ({
      path: path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path,
      tree: treeOf(source, options),
      subPath,
      readOnly: readOnly || (source.kind !== "scratch" && source.kind !== "persistent"),
    })),
    root,
  );

function treeOf(
  source: FileSource,
  { machine, scratch, isReplaying }: Omit<ContainerShellOptions, "config">,
): FileTree {
  if (source.kind === "scratch") return scratch(source.volume);
  if (source.kind === "files")
    return readOnlyTree(
      () => source.read(),
      (path) => source.mode(path),
    );
  // There are no files of a real node, and none of images.
  if (source.kind !== "persistent") return readOnlyTree(() => new Map());
  return replayedTree(machine.volumes.tree(source.volume), isReplaying);
}

/** What the script wants done at the stop signal; undefined: nothing. */
async function runTrap(
  traps: ReadonlyMap<string, string>,
  { clock, signal, run }: { clock: Runtime["clock"]; signal: AbortSignal; run(handler: string): Promise<number> },
): Promise<number | undefined> {
  const handler = traps.get("TERM") ?? traps.get("15");
  if (handler === undefined) return undefined;
  // An empty handler ignores the signal.
  if (handler === "") await slept(never, { clock, signal });
  return run(handler);
}

/** Whether the container's command does something that the simulation knows. */
export const hasProgram = (config: SimulatedConfig): boolean => isKnown(argvOf(config), config) || endsByItself(config);

/** Command and arguments; those of an image without an entry point may be in `args` alone. Who gives it a terminal wants a shell. */
function argvOf({ command, args, pod, name }: SimulatedConfig): readonly string[] {
  const { stdin, tty } = findContainer(pod, name) ?? {};
  return command.length + args.length === 0 && stdin && tty ? ["sh"] : [...command, ...args];
}

/** Whether the shell has the program, or a volume may have it. */
const isKnown = ([name = ""]: readonly string[], { mounts }: SimulatedConfig): boolean =>
  commands.has(name.slice(name.lastIndexOf("/") + 1)) || mounts.some(({ path }) => name.startsWith(`${path}/`));

/** Images have no users of their own here: root, unless the container's security context names another. */
export function userOf({ pod, name }: SimulatedConfig): { readonly userId: number; readonly groupId: number } {
  const { runAsUser, runAsGroup } = { ...pod.spec?.securityContext, ...findContainer(pod, name)?.securityContext };
  return { userId: runAsUser ?? 0, groupId: runAsGroup ?? 0 };
}

/** Whether a command that nobody knows ends by itself, with success: those of Jobs do, and of init containers. */
function endsByItself({ pod, name, image, kind }: SimulatedConfig): boolean {
  const isPause = /(^|\/)pause[:@]|(^|\/)pause$/.test(image.image);
  if (isPause) return false;
  return isInit({ pod, name, kind }) || isOfJob(pod);
}

/** Whether it must end before the pod's containers start. */
const isInit = ({ pod, name, kind }: Pick<SimulatedConfig, "pod" | "name" | "kind">): boolean =>
  kind === "init" && !isSidecarOf(pod, name);

const isSidecarOf = (pod: CachedPod, name: string): boolean =>
  initContainersOf(pod).some((container) => container.name === name && isSidecar(container));

const isOfJob = (pod: CachedPod): boolean =>
  (pod.metadata?.ownerReferences ?? []).some(({ kind, controller }) => kind === "Job" && controller === true) ||
  getOwn(pod.metadata?.labels, "job-name") !== undefined;

export const hostnameOf = (pod: CachedPod): string =>
  pod.spec?.hostnameOverride ?? pod.spec?.hostname ?? nameOf(pod).slice(0, 63);
