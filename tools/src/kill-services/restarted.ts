import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { ownLauncher } from "../clients/index.js";

/** A command of ours that is killed and started again. */
export interface Restarted {
  start(): void;
  /** By SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

export function createRestarted(command: readonly string[], logFile: string): Restarted {
  const log = openSync(logFile, "a");
  let child: ChildProcess | undefined;
  return {
    start() {
      child = spawn(process.execPath, [ownLauncher, ...command], { stdio: ["ignore", log, log] });
    },
    async kill() {
      if (child === undefined || child.exitCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}
