import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Outcome } from "../conformance/outcome.js";
import { createScriptReader } from "./script-output.js";
import type { Workspace } from "./workspace.js";

const driver = join(dirname(fileURLToPath(import.meta.url)), "../../test-cmd/run.sh");

export interface ScriptsOptions {
  readonly workspace: Workspace;
  readonly port: number;
  /** Names of the functions to run; the script fixes their order. */
  readonly functions: readonly string[];
  /** Receives all that the scripts print. */
  readonly logFile: string;
  readonly onOutcome: (outcome: Outcome) => void;
}

export interface ScriptsRun {
  /** Resolves when the scripts have ended, with their output after the last function. */
  readonly ended: Promise<{ readonly rest: string }>;
  /** Ends them; the function under way stays without an outcome. */
  stop(): Promise<void>;
}

/** Runs functions of the scripts in their own order, and the assertions between them, of which one that fails ends the run. */
export function startScripts({ workspace, port, functions, logFile, onOutcome }: ScriptsOptions): ScriptsRun {
  const env = {
    ...process.env,
    SECURE_API_PORT: String(port),
    BINARIES: workspace.binaries,
    FUNCTIONS: functions.join(" "),
    ALLOW_SKEW: "true",
    TMPDIR: workspace.temporary,
    KUBE_JUNIT_REPORT_DIR: join(workspace.temporary, "junit"),
  };
  // A process group of its own: the scripts leave proxies and watches behind when they fail.
  const child = spawn("bash", ["-c", 'exec bash "$0" 2>&1', driver], {
    cwd: workspace.folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const killAll = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // they are gone, which is what we want
    }
  };
  process.once("exit", killAll);
  const log = createWriteStream(logFile, { flags: "a" });
  const reader = createScriptReader(() => performance.now() / 1000, onOutcome);
  createInterface({ input: child.stdout }).on("line", (line) => {
    log.write(`${line}\n`);
    reader.line(line);
  });
  const ended = new Promise<{ rest: string }>((resolve, reject) => {
    child.on("error", reject);
    // What a failed function left running may hold the pipe open for ever.
    child.on("exit", killAll);
    child.on("close", () => {
      log.end();
      process.off("exit", killAll);
      resolve({ rest: reader.rest() });
    });
  });
  return {
    ended,
    async stop() {
      killAll();
      await ended;
    },
  };
}
