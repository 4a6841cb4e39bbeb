import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

export interface ManagedProcessOptions {
  /** Shown in errors. */
  name: string;
  command: string;
  args: readonly string[];
  /** Receives standard output and standard error. */
  logFile: string;
  env?: NodeJS.ProcessEnv;
}

/** A program that runs beside us and never outlives us (unless we are killed with SIGKILL). */
export interface ManagedProcess {
  readonly pid: number;
  /** Resolves when the process is gone, however it ended. */
  readonly ended: Promise<void>;
  /**
   * Polls until `check` answers true. Rejects as soon as the process ends, or after `timeoutMs`, with the end of its log.
   * @param intervalMs pause between two polls @default 50
   */
  waitUntil(check: () => Promise<boolean>, options?: { timeoutMs?: number; intervalMs?: number }): Promise<void>;
  /** SIGTERM, SIGKILL after five seconds; resolves when the process is gone. May be called more than once. */
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();

// A last resort for paths that skipped stop(): an uncaught error, or process.exit() in the middle of something.
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export function startProcess(options: ManagedProcessOptions): ManagedProcess {
  const log = openSync(options.logFile, "a");
  // In the same process group, so that Ctrl-C in a terminal reaches it even when we hang.
  const child = spawn(options.command, options.args, { stdio: ["ignore", log, log], env: options.env ?? process.env });
  closeSync(log);
  running.add(child);
  let failure: Error | undefined;
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", (error) => {
      failure = error;
      resolve();
    });
  }).then(() => void running.delete(child));
  const ended = (): boolean => failure !== undefined || child.exitCode !== null || child.signalCode !== null;

  const startError = async (what: string): Promise<Error> => {
    const tail = (await readFile(options.logFile, "utf8").catch(() => "")).slice(-2000);
    return new Error(`${options.name} ${what}; its log ends:\n${tail}`, { cause: failure });
  };

  return {
    pid: child.pid ?? -1,
    ended: gone,
    async waitUntil(check, { timeoutMs = 60_000, intervalMs = 50 } = {}) {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        if (ended()) throw await startError("ended before it was ready");
        if (await check()) return;
        if (Date.now() > deadline) throw await startError(`was not ready after ${timeoutMs} ms`);
        await sleep(intervalMs);
      }
    },
    async stop() {
      if (!ended()) child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await gone;
      clearTimeout(timer);
    },
  };
}
