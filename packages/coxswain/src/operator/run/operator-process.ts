import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** How a program that was started ended: by itself, or because it was asked to. */
export type ProcessEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export interface OperatorProcess {
  /** Resolves once its manager has started, or it has ended before that. */
  readonly started: Promise<"started" | "ended">;
  readonly ended: Promise<ProcessEnd>;
  /** Asks it to end in order, and waits. */
  stop(): Promise<void>;
}

export interface OperatorProcessOptions {
  readonly directory: string;
  /** The built program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly print: (line: string) => void;
}

/**
 * The operator as a process of its own. It is in a process group of its own too, so that Ctrl-C in a terminal reaches only this
 * process, which then ends it in order; should this process be killed, the closed channel ends it (`runOperator`).
 */
export function startOperatorProcess({ directory, program, args, print }: OperatorProcessOptions): OperatorProcess {
  const child: ChildProcess = spawn(process.execPath, ["--enable-source-maps", program, ...args], {
    cwd: directory,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
    env: { ...process.env, COXSWAIN_OPERATOR_RUN: "1" },
  });
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface({ input: stream }).on("line", print);
  const ended = new Promise<ProcessEnd>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  const started = Promise.race([
    new Promise<"started">((resolve) => void child.once("message", () => resolve("started"))),
    ended.then(() => "ended" as const),
  ]);
  return {
    started,
    ended,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
