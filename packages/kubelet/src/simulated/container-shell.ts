import { getOwn } from "@coxswain/apimachinery/own";
import type { Runtime } from "@coxswain/runtime";
import { slept } from "@coxswain/runtime/wait";
import { createCgroup } from "../languages/shell/cgroup.js";
import { commands } from "../languages/shell/commands.js";
import { createFileSystem, type FileSystem } from "../languages/shell/file-system.js";
import { createFileTree, type FileTree, readOnlyTree, replayedTree } from "../languages/shell/file-tree.js";
import { runProcess } from "../languages/shell/run-process.js";
import { bytesOf, fail, type ShellProcess } from "../languages/shell/shell-process.js";
import { emptyInput, inputFrom } from "../languages/shell/streams.js";
import { type CachedPod, initContainersOf, isSidecar, nameOf } from "../objects/cached-pod.js";
import type { ContainerConfig, ExecStreams, FileSource } from "../runtime/container-runtime.js";
import type { ContainerLog } from "./container-log.js";
import type { Program } from "./process.js";
import type { SimulatedMachine } from "./simulated-machine.js";

export interface ContainerShellOptions {
  readonly config: ContainerConfig;
  readonly runtime: Runtime;
  readonly log: ContainerLog;
  readonly machine: SimulatedMachine;
  /** Whether its program does again what it did in an earlier process; persistent volumes have that already. */
  isReplaying(): boolean;
  /** The files of a volume that lives as long as the pod, or the node. */
  scratch(volume: string): FileTree;
}

/** The processes of one simulated container: its command, and commands that are run in it later. */
export interface ContainerShell {
  /** What the container's command does; undefined: nobody knows it, so it runs for ever. */
  readonly main: Program | undefined;
  exec(command: readonly string[], streams: ExecStreams, signal: AbortSignal): Promise<number>;
  readonly files: FileSystem;
  /** Whether a process was killed because the container's memory was used up. */
  readonly isOutOfMemory: boolean;
  /** Ends all that still runs in the container. */
  kill(): void;
  /** Nobody reads its files any more. */
  discard(): void;
}

const never = 2 ** 50;

export function createContainerShell(options: ContainerShellOptions): ContainerShell {
  const { config, runtime, log, machine } = options;
  const { clock } = runtime;
  const root = createFileTree(machine.disk);
  const files = mountFiles(options, root);
  const hostname = hostnameOf(config.pod);
  files.write("/etc/hostname", bytesOf(`${hostname}\n`));
  const argv = argvOf(config);
  const traps = new Map<string, string>();
  const cgroup = createCgroup(machine);

  /** Runs a command as a process of the container. */
  async function start(
    command: readonly string[],
    signal: AbortSignal,
    streams: Pick<ShellProcess, "stdin" | "stdout" | "stderr" | "unknown">,
  ): Promise<number> {
    const session = cgroup.startSession(signal);
    return runProcess(command, {
      environment: [
        ["PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
        ["HOSTNAME", hostname],
        ["HOME", "/root"],
        ...config.env,
      ],
      session,
      directory: config.workingDir || "/",
      around: { files, runtime, hostname, traps, ...streams },
    });
  }

  /** A program that nobody knows does its work: for a Job that means it ends, for others that it goes on. */
  const unknownProgram: ShellProcess["unknown"] = async (_argv, { session: { signal } }) => {
    if (!endsByItself(config)) await slept(never, { clock, signal });
    signal.throwIfAborted();
    return 0;
  };
  const own = {
    stdin: emptyInput,
    stdout: { write: (chunk: Uint8Array) => log.write("stdout", chunk), drained: () => log.drained() },
    stderr: { write: (chunk: Uint8Array) => log.write("stderr", chunk), drained: () => log.drained() },
    unknown: unknownProgram,
  };

  return {
    files,
    get isOutOfMemory() {
      return cgroup.isOutOfMemory;
    },
    kill: () => cgroup.kill(),
    discard: () => root.discard(),
    main:
      isKnown(argv) || endsByItself(config)
        ? {
            run: (signal) => start(argv, signal, own),
            onTerminate: (signal) =>
              runTrap(traps, { clock, signal, run: (handler) => start(["sh", "-c", handler], signal, own) }),
          }
        : undefined,
    exec(command, streams, signal) {
      const { stdin } = streams;
      return start(command, signal, {
        stdin: stdin ? inputFrom(stdin) : emptyInput,
        stdout: { write: (chunk) => streams.stdout(chunk), drained: () => streams.drained() },
        stderr: { write: (chunk) => streams.stderr(chunk), drained: () => streams.drained() },
        unknown: async ([name = ""], inner) => fail(inner, `sh: ${name}: not found`, 127),
      });
    },
  };
}

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
  if (source.kind !== "persistent") return readOnlyTree(() => filesOf(source));
  return replayedTree(machine.volumes.tree(source.volume), isReplaying);
}

/** There are no files of a real node, and none of images. */
const filesOf = (source: FileSource): ReadonlyMap<string, Uint8Array> =>
  source.kind === "files" ? source.read() : new Map();

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
export const hasProgram = (config: ContainerConfig): boolean => isKnown(argvOf(config)) || endsByItself(config);

/** Command and arguments; those of an image without an entry point may be in `args` alone. */
const argvOf = ({ command, args }: ContainerConfig): readonly string[] => [...command, ...args];

const isKnown = ([name = ""]: readonly string[]): boolean => commands.has(name.slice(name.lastIndexOf("/") + 1));

/** Whether a command that nobody knows ends by itself, with success: those of Jobs do, and of init containers. */
function endsByItself({ pod, name, image, kind }: ContainerConfig): boolean {
  const isPause = /(^|\/)pause[:@]|(^|\/)pause$/.test(image.image);
  if (isPause) return false;
  return (kind === "init" && !isSidecarOf(pod, name)) || isOfJob(pod);
}

const isSidecarOf = (pod: CachedPod, name: string): boolean =>
  initContainersOf(pod).some((container) => container.name === name && isSidecar(container));

const isOfJob = (pod: CachedPod): boolean =>
  (pod.metadata?.ownerReferences ?? []).some(({ kind, controller }) => kind === "Job" && controller === true) ||
  getOwn(pod.metadata?.labels, "job-name") !== undefined;

export const hostnameOf = (pod: CachedPod): string =>
  pod.spec?.hostnameOverride ?? pod.spec?.hostname ?? nameOf(pod).slice(0, 63);
