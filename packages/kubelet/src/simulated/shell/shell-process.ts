import type { Clock } from "@coxswain/runtime/clock";
import type { RandomSource } from "@coxswain/runtime/random";
import type { FileSystem } from "../file-system.js";
import type { ShellNode } from "./syntax.js";

/** What a command of the shell works with. */
export interface ShellProcess {
  /** Exported variables and the shell's own. */
  readonly variables: Map<string, string>;
  readonly exported: Set<string>;
  readonly functions: Map<string, ShellNode>;
  /** What commands change for those that follow; a subshell has a copy. */
  readonly state: ShellState;
  readonly files: FileSystem;
  /** An absolute path, from one relative to the directory. */
  resolve(path: string): string;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly hostname: string;
  /** Ends waits. */
  readonly signal: AbortSignal;
  stdin(): Promise<Uint8Array>;
  stdout(chunk: Uint8Array): void;
  stderr(chunk: Uint8Array): void;
  /** $0, $1, … */
  readonly parameters: readonly string[];
  readonly interpreter: Interpreter;
  /** What a command does that this shell does not have. */
  unknown(argv: readonly string[], process: ShellProcess): Promise<number>;
  /** Handlers of signals, by `trap`. */
  readonly traps: Map<string, string>;
}

export type Command = (args: readonly string[], process: ShellProcess) => number | Promise<number>;

export interface ShellState {
  directory: string;
  /** $? */
  lastExit: number;
}

/** How parts of scripts are run by those that only know a process. */
export interface Interpreter {
  /** In a copy of the process: what it sets stays inside. */
  subshell(node: ShellNode, process: ShellProcess): Promise<number>;
  command(argv: readonly string[], process: ShellProcess): Promise<number>;
  /** @throws ShellSyntaxError */
  parse(text: string): ShellNode;
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

export const print = (process: ShellProcess, text: string): void => process.stdout(bytesOf(text));
export function complain(process: ShellProcess, text: string, code = 1): number {
  process.stderr(bytesOf(`${text}\n`));
  return code;
}
