import { ShellFailure } from "./shell-failure.js";
import { charge, pace, readPiece, ShellExit, type ShellProcess } from "./shell-process.js";
import type { Terminal } from "./terminal.js";

/** Characters of a command over several lines that is parsed with each of them. */
const shortCommand = 4096;
/** Characters of any command; scripts that are longer come as files. */
const longestCommand = 64 * 1024;

/** What a command that was interrupted by Ctrl-C ends with: 128 and the number of SIGINT. */
const interrupted = 130;

/** Where a shell that was given no script has its commands from, a line at a time. */
interface LineSource {
  /** Undefined: there are no more. */
  next(prompt: string): Promise<string | undefined>;
}

/**
 * A shell that reads commands as they come, from a terminal or from its input: each is run before the next one is read. A command whose
 * end is not there yet (a quote, a loop) goes on in the next line.
 */
export async function runInteractive(process: ShellProcess): Promise<number> {
  const { terminal } = process;
  const source = terminal ? fromTerminal(terminal) : fromInput(process);
  try {
    for (let command = await readCommand(source, process); command !== undefined; ) {
      await runLine(command, process);
      command = await readCommand(source, process);
    }
  } catch (error) {
    if (error instanceof ShellExit) return error.code;
    throw error;
  }
  return process.state.lastExit;
}

const fromTerminal = (terminal: Terminal): LineSource => ({ next: (prompt) => terminal.readLine(prompt) });

/** Lines of a pipe; what follows a line that is run is left for the next one. */
function fromInput(process: ShellProcess): LineSource {
  const decoder = new TextDecoder();
  let held = "";
  return {
    async next() {
      for (;;) {
        const end = held.indexOf("\n");
        if (end >= 0) {
          const line = held.slice(0, end);
          held = held.slice(end + 1);
          return line;
        }
        const piece = await readPiece(process);
        if (!piece) {
          const last = held;
          held = "";
          return last === "" ? undefined : last;
        }
        process.budget.check(held.length + piece.length);
        held += decoder.decode(piece, { stream: true });
      }
    },
  };
}

async function readCommand(source: LineSource, process: ShellProcess): Promise<string | undefined> {
  const sign = process.container.userId === 0 ? "#" : "$";
  let text = await source.next(`${process.state.directory} ${sign} `);
  let triedLength = 0;
  while (text !== undefined) {
    // A long one is parsed anew only when it has become much longer: all lines together are parsed in linear time.
    if (text.length <= shortCommand || text.length > triedLength * 1.5) {
      charge(process, text.length * 16);
      await pace(process);
      if (!process.interpreter.isUnfinished(text, process)) return text;
      triedLength = text.length;
    }
    const more = await source.next("> ");
    if (more === undefined) return text;
    text = `${text}\n${more}`;
    if (text.length > longestCommand) throw new ShellFailure("syntax error: command too long", 2);
  }
  return undefined;
}

/** In the shell's own process: what a line sets is there for the next one. Ctrl-C ends the line, and not the shell. */
async function runLine(text: string, process: ShellProcess): Promise<void> {
  const { terminal, session } = process;
  const interrupt = new AbortController();
  const before = terminal?.onInterrupt(() => interrupt.abort());
  const line = session.cgroup.startSession(AbortSignal.any([session.signal, interrupt.signal]));
  const exit = line.fork();
  const own = { ...process, session: line };
  try {
    process.state.lastExit = await process.interpreter.line(text, own);
  } catch (error) {
    session.signal.throwIfAborted();
    if (error instanceof ShellExit) throw error;
    if (interrupt.signal.aborted) process.state.lastExit = interrupted;
    else process.state.lastExit = process.interpreter.failure(error, process);
  } finally {
    exit();
    terminal?.onInterrupt(before);
  }
}
