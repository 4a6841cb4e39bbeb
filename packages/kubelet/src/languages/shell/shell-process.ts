import type { Runtime } from "@coxswain/runtime";
import { noActivity } from "@coxswain/runtime/activity";
import type { Budget } from "../budget.js";
import type { Session } from "./cgroup.js";
import type { FileSystem } from "./file-system.js";
import type { ContainerNetwork } from "./network.js";
import { type Input, type Output, pieceBytes, unlessAborted } from "./streams.js";
import type { ShellNode } from "./syntax.js";
import type { Terminal } from "./terminal.js";
import type { Variables } from "./variables.js";

/** What a command of the shell works with. */
export interface ShellProcess {
  /** Exported variables and the shell's own. */
  readonly variables: Variables;
  readonly functions: Map<string, ShellNode>;
  /** What commands change for those that follow; a subshell has a copy. */
  readonly state: ShellState;
  readonly files: FileSystem;
  /** An absolute path, from one relative to the directory. */
  resolve(path: string): string;
  readonly runtime: Runtime;
  readonly hostname: string;
  readonly container: ContainerFacts;
  /** What the process is controlled by, if anything; its streams are those of the process unless they are redirected. */
  readonly terminal?: Terminal;
  readonly session: Session;
  /** Memory of this process alone; its end frees it. */
  readonly budget: Budget;
  /** Functions inside functions. */
  readonly depth: number;
  /** Whether somebody looks at how it ends (`if`, `&&`, `!`): `set -e` does not count then. */
  readonly isTested?: boolean;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** $0, $1, … */
  readonly parameters: readonly string[];
  readonly interpreter: Interpreter;
  /**
   * What a command does that this shell does not have, or that cannot be done here.
   * @param failure where the command is known: its exit code, and what it prints. @default it is not found
   */
  unknown(argv: readonly string[], process: ShellProcess, failure?: CommandFailure): Promise<number>;
  /** Called where a process goes on with the answer of a simulated program, not of a real one. */
  onSimulated?(): void;
  /** Handlers of signals, by `trap`. */
  readonly traps: Map<string, string>;
}

export interface CommandFailure {
  readonly code: number;
  /** Empty: nothing is printed. */
  readonly text: string;
  /** Whether it is a file of the image that is missing, and not something of the network. @default false */
  readonly isOfImage?: boolean;
}

/** The container that a process runs in. */
export interface ContainerFacts {
  readonly userId: number;
  readonly groupId: number;
  /** Of its first process, as `ps` shows it. */
  readonly command: string;
  /** Sends the first process a signal. */
  terminate(): void;
  readonly network: ContainerNetwork;
}

export type Command = (args: readonly string[], process: ShellProcess) => number | Promise<number>;

export interface ShellState {
  directory: string;
  /** $? */
  lastExit: number;
  /** `set -e`: a command that fails ends the shell, unless somebody looks at how it ends. */
  endsOnFailure: boolean;
  /** `set -o pipefail` */
  isPipefail: boolean;
  /** By `trap … EXIT`: what this shell runs at its end. Empty: nothing. */
  onExit: string;
  /** What it began with `&`, by number: `wait` has their exit codes. */
  readonly jobs: Map<number, Promise<number>>;
  /** $! */
  lastJob: number;
}

/** How parts of scripts are run by those that only know a process. */
export interface Interpreter {
  /** In a copy of the process: what it sets stays inside. */
  subshell(node: ShellNode, process: ShellProcess): Promise<number>;
  command(argv: readonly string[], process: ShellProcess): Promise<number>;
  /** A script in a shell of its own; one that cannot be parsed is a program that nobody knows. */
  script(text: string, process: ShellProcess): Promise<number>;
  /** A line of a session, in the process itself: what it sets stays. @throws ShellSyntaxError, ShellExit */
  line(text: string, process: ShellProcess): Promise<number>;
  /** Whether a text is the beginning of a command whose end is not there yet. */
  isUnfinished(text: string, process: ShellProcess): boolean;
  /** Reports what ended a line, and returns its exit code. @throws the error, where it is no way for a process to end */
  failure(error: unknown, process: ShellProcess): number;
}

/** Ends the script. */
export class ShellExit extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/** `break`, `continue` and `return`. */
export class ShellJump extends Error {
  readonly kind: "break" | "continue" | "return";
  readonly code: number;
  constructor(kind: ShellJump["kind"], code = 0) {
    super(kind);
    this.kind = kind;
    this.code = code;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Bytes that are looked at or written in the time of one step. */
const bytesPerStep = 64;

/** Counts work on so many bytes or characters. */
export const charge = ({ session }: ShellProcess, bytes: number): void =>
  session.cgroup.processor.charge(bytes / bytesPerStep);

/** Turns of the processor that a virtual clock waits for. A program that needs more between two sleeps is a loop. */
const countedTurns = 1000;

/**
 * To be awaited between any two pieces of work whose number a script decides: lets other programs and all else in the process run,
 * waits for those who read what was written, and ends a process that was killed.
 */
export function pace(process: ShellProcess): Promise<void> | undefined {
  const { session, stdout, stderr } = process;
  session.signal.throwIfAborted();
  const turn = session.cgroup.processor.turn();
  if (turn) return takeTurn(turn, process);
  const drained = stdout.drained() ?? stderr.drained();
  return drained && drain(drained, process);
}

async function takeTurn(turn: Promise<void>, process: ShellProcess): Promise<void> {
  const { session, runtime } = process;
  const activity = session.turns++ < countedTurns ? runtime.activity : noActivity;
  activity.begin();
  await turn.finally(() => activity.end());
  await pace(process);
}

async function drain(drained: Promise<void>, process: ShellProcess): Promise<void> {
  await unlessAborted(drained, process.session.signal);
  await pace(process);
}

/** Counts what was written: the reader works, too. */
export const chargeWrite = (process: ShellProcess, bytes: number): void => charge(process, 128 + bytes * 4);

/** Writes a short text. */
export function print(process: ShellProcess, text: string): void {
  chargeWrite(process, text.length);
  process.stdout.write(bytesOf(text));
}

/** Writes a text of any length, piece by piece. */
export async function printAll(process: ShellProcess, text: string): Promise<void> {
  if (text.length <= pieceBytes) return print(process, text);
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + pieceBytes, text.length);
    // A pair of surrogates is one character.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    print(process, text.slice(at, end));
    at = end;
    await pace(process);
  }
}

/** Reads a piece of input. */
export const readPiece = (process: ShellProcess): Promise<Uint8Array | undefined> =>
  unlessAborted(process.stdin.read(), process.session.signal);

/** Reads all of the input. @throws OverBudget */
export async function readAll(process: ShellProcess): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (let piece = await readPiece(process); piece; piece = await readPiece(process)) {
    size += piece.length + 64;
    process.budget.check(size);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

export function fail(process: ShellProcess, text: string, code = 1): number {
  chargeWrite(process, text.length);
  process.stderr.write(bytesOf(`${text}\n`));
  return code;
}
