import type { Clock } from "@coxswain/runtime/clock";
import { getOwn } from "@coxswain/apimachinery/own";
import type { RandomSource } from "@coxswain/runtime/random";
import { slept } from "@coxswain/runtime/wait";
import { ByteCollector } from "@coxswain/wire/bytes";
import { type CachedPod, initContainersOf, isSidecar, nameOf } from "../pod/cached-pod.js";
import type { ContainerConfig, ExecStreams } from "../runtime/container-runtime.js";
import type { ContainerLog } from "./container-log.js";
import { createFileSystem, type FileSystem } from "./file-system.js";
import { type FileTree, readOnlyTree } from "./file-tree.js";
import { commands } from "./shell/commands.js";
import { interpreter, ownState, runScript } from "./shell/interpret.js";
import { bytesOf, complain, type ShellProcess } from "./shell/shell-process.js";
import type { Program } from "./process.js";

export interface ContainerShellOptions {
  readonly config: ContainerConfig;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: ContainerLog;
  /** The files of a volume that lives as long as the pod, or the node. */
  scratch(volume: string): FileTree;
}

/** The processes of one simulated container: its command, and commands that are run in it later. */
export interface ContainerShell {
  /** What the container's command does; undefined: nobody knows it, so it runs for ever. */
  readonly main: Program | undefined;
  exec(command: readonly string[], streams: ExecStreams, signal: AbortSignal): Promise<number>;
  readonly files: FileSystem;
}

const never = 2 ** 50;

export function createContainerShell(options: ContainerShellOptions): ContainerShell {
  const { config, clock, random, log, scratch } = options;
  const files = createFileSystem(
    config.mounts.map(({ path, readOnly, source, subPath = "" }) => ({
      path: path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path,
      tree: source.kind === "scratch" ? scratch(source.volume) : readOnlyTree(() => source.read()),
      subPath,
      readOnly: readOnly || source.kind !== "scratch",
    })),
  );
  const hostname = hostnameOf(config.pod);
  files.write("/etc/hostname", bytesOf(`${hostname}\n`));
  const argv = argvOf(config);
  const traps = new Map<string, string>();

  const processOf = (
    streams: Pick<ShellProcess, "stdin" | "stdout" | "stderr" | "unknown" | "signal">,
  ): ShellProcess => ({
    variables: new Map([
      ["PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
      ["HOSTNAME", hostname],
      ["HOME", "/root"],
      ...config.env,
    ]),
    exported: new Set(["PATH", "HOSTNAME", "HOME", ...config.env.keys()]),
    functions: new Map(),
    ...ownState({ state: { directory: config.workingDir || "/", lastExit: 0 } }),
    files,
    clock,
    random,
    hostname,
    parameters: ["sh"],
    interpreter,
    traps,
    ...streams,
  });

  /** A program that nobody knows does its work: for a Job that means it ends, for others that it goes on. */
  const unknownProgram = async (signal: AbortSignal): Promise<number> => {
    if (!endsByItself(config)) await slept(never, { clock, signal });
    signal.throwIfAborted();
    return 0;
  };
  const own = (signal: AbortSignal): ShellProcess =>
    processOf({
      stdin: async () => new Uint8Array(),
      stdout: (chunk) => log.write("stdout", chunk),
      stderr: (chunk) => log.write("stderr", chunk),
      unknown: () => unknownProgram(signal),
      signal,
    });
  const runMain = (signal: AbortSignal): Promise<number> => runArgv(argv, own(signal));

  return {
    files,
    main:
      isKnown(argv) || endsByItself(config)
        ? { run: runMain, onTerminate: (signal) => runTrap(traps, own(signal)) }
        : undefined,
    exec(command, streams, signal) {
      const { stdin } = streams;
      const process = processOf({
        stdin: () => (stdin ? readAll(stdin) : Promise.resolve(new Uint8Array())),
        stdout: (chunk) => streams.stdout(chunk),
        stderr: (chunk) => streams.stderr(chunk),
        unknown: async ([name = ""], inner) => complain(inner, `sh: ${name}: not found`, 127),
        signal,
      });
      return runArgv(command, process);
    },
  };
}

/** Runs a command without a shell around it; `exit` and its kin end it. */
const runArgv = (argv: readonly string[], process: ShellProcess): Promise<number> =>
  runScript(
    {
      type: "simple",
      assignments: [],
      redirects: [],
      words: argv.map((text) => [{ kind: "text", text, quoted: true }]),
    },
    process,
  );

/** What the script wants done at the stop signal; undefined: nothing. */
async function runTrap(traps: ReadonlyMap<string, string>, process: ShellProcess): Promise<number | undefined> {
  const handler = traps.get("TERM") ?? traps.get("15");
  if (handler === undefined) return undefined;
  // An empty handler ignores the signal.
  if (handler === "") await slept(never, { clock: process.clock, signal: process.signal });
  return runArgv(["sh", "-c", handler], process);
}

/** A command gets its input as a whole, in this process: a client that sends without end would fill its memory. */
const maxInputBytes = 64 * 1024 * 1024;

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all = new ByteCollector();
  for await (const chunk of chunks) {
    if (all.length + chunk.length > maxInputBytes)
      throw new Error(`a command of a simulated container takes at most ${maxInputBytes} bytes of input`);
    all.add(chunk);
  }
  return all.take();
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
