import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { UndoLog } from "@coxswain/machines";
import { cacheDirectory } from "../upstream/index.js";
import { cleanLeftovers, identifyProcess, openUndoLog, undoLogAt } from "./undo-log.js";

/** What a process inside the namespaces must know of the run that it belongs to. */
interface RunFacts {
  readonly undoFile: string;
  /** Begins the names of this run's control groups. */
  readonly cgroupPrefix: string;
}

const variable = "COXSWAIN_OWN_NAMESPACES";
const undoFolder = (): string => join(cacheDirectory(), "nodes", "undo");

/** Where everything runs that nodes, pods and services are made of. */
export interface OwnNamespaces {
  readonly undo: UndoLog;
  readonly cgroupPrefix: string;
}

/** Set in the process that `runInOwnNamespaces` started. */
export function ownNamespaces(env: NodeJS.ProcessEnv = process.env): OwnNamespaces | undefined {
  const text = env[variable];
  if (text === undefined) return undefined;
  const { undoFile, cgroupPrefix } = JSON.parse(text) as RunFacts;
  return { undo: undoLogAt(undoFile), cgroupPrefix };
}

/**
 * The command line that runs another one with a network, mounts and process numbers of its own: no packet leaves (there is no route),
 * and when its first process ends, the kernel ends all others and takes interfaces and mounts apart. The shell is that first process
 * because it reaps those that lost their parent, as containers' shims do.
 */
export const planOwnNamespaces = (command: readonly string[]): readonly string[] => [
  "unshare",
  "--net",
  "--mount",
  "--pid",
  "--fork",
  "--kill-child",
  "--mount-proc",
  "--propagation=private",
  "sh",
  "-c",
  '"$@"; exit $?',
  "sh",
  ...command,
];

/** Ends this process when the one that started it in the namespaces is gone, however that ended; does not keep it alive. */
export function endWithStarter(): void {
  process.stdin.on("end", () => process.exit(143)).resume();
  (process.stdin as { unref?: () => void }).unref?.(); // a pipe is a socket to Node
}

const thisProgram = (): readonly string[] => [process.execPath, ...process.execArgv, ...process.argv.slice(1)];

/**
 * Runs a program (this one again, unless another is named) in namespaces of its own, and afterwards takes back what outlives them.
 * First it does that for runs that were killed. The program's standard input is a pipe from here: its end means that this process is gone.
 * Answers its exit code.
 */
export async function runInOwnNamespaces(
  command: readonly string[] = thisProgram(),
  options: { readonly onOutput?: (text: string) => void } = {},
): Promise<number> {
  const self = await identifyProcess("self");
  await cleanLeftovers(undoFolder());
  const undo = await openUndoLog(undoFolder(), self);
  const facts: RunFacts = { undoFile: undo.file, cgroupPrefix: `coxswain-${self.pid}` };
  const [program = "", ...args] = planOwnNamespaces(command);
  const { onOutput } = options;
  const output = onOutput === undefined ? "inherit" : "pipe";
  const child = spawn(program, args, {
    stdio: ["pipe", output, output],
    env: { ...process.env, [variable]: JSON.stringify(facts) },
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => onOutput?.(chunk.toString()));
  // A signal from a terminal reaches the inner process as well; one that was sent to this process alone must be passed on.
  const end = (): void => void child.stdin?.end();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return code ?? 1;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end);
    await undo.undoAll();
  }
}
