import { spawn } from "node:child_process";
import { closeSync, readFileSync } from "node:fs";
import { makeDirectory } from "@coxswain/component/files";
import { systemClock } from "@coxswain/runtime/clock";
import { logFile, openLog, readState } from "./cluster-state.js";

/** How often the folder of a cluster that is being started is looked at. */
const lookMs = 20;

interface DetachOptions {
  readonly folder: string;
  readonly timeoutMs: number;
}

/** Starts the same command in a process of its own, which outlives this one, and returns when the cluster is ready. */
export async function detach(args: readonly string[], { folder, timeoutMs }: DetachOptions): Promise<number> {
  makeDirectory(folder);
  const log = logFile(folder);
  const output = openLog(folder);
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? "", "up", ...args, "--detach=false"], {
    detached: true,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  let exit: number | undefined;
  child.once("exit", (code) => (exit = code ?? 1));
  const end = systemClock.monotonic() + timeoutMs;
  while (readState(folder)?.pid !== child.pid) {
    if (exit !== undefined || systemClock.monotonic() > end) {
      const why = exit === undefined ? `is not ready after ${timeoutMs / 1000} s` : `ended with ${exit}`;
      if (exit === undefined) child.kill();
      process.stderr.write(`coxswain up: the cluster ${why}. Its log is ${log}:\n${readFileSync(log, "utf8")}`);
      return 1;
    }
    await new Promise<void>((resolve) => void systemClock.setTimer(lookMs, resolve));
  }
  child.unref();
  process.stdout.write(readFileSync(log, "utf8"));
  return 0;
}
