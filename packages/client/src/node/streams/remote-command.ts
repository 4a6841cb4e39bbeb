import type { Readable, Writable } from "node:stream";
import type { CommandResult } from "./command-result.js";

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Which streams are wanted. */
export interface CommandStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  /** Never with a terminal: it has one output. */
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** A command that runs in a container. A stream that was not asked for ends at once. */
export interface RemoteCommand {
  readonly stdin: Writable;
  /** Both outputs must be read, or the command waits. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Of a terminal. */
  resize(size: TerminalSize): void;
  /** When the command has ended; a failed command is a result, not an error. Rejects where it could not be run, or the connection was lost. */
  readonly done: Promise<CommandResult>;
  /** Ends the connection. The command may go on running. */
  close(): void;
}

export const encodeSize = ({ columns, rows }: TerminalSize): string => JSON.stringify({ Width: columns, Height: rows });
