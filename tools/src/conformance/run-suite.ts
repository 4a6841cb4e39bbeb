import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { ensureProgram } from "../upstream/index.js";
import { createGinkgoReader } from "./ginkgo-output.js";
import type { Outcome } from "./outcome.js";
import { focusOf } from "./test-list.js";

export interface SuiteOptions {
  readonly tests: readonly string[];
  readonly kubeconfig: string;
  /** Processes that run tests side by side. At least two: with one ginkgo prints in another form. */
  readonly procs: number;
  /** Whether tests give way to whatever else the machine does. */
  readonly nice: boolean;
  /**
   * How many nodes there are; undefined: the suite finds out. Where there is none it must not wait for one; where there are several, only
   * the first of its processes finds out, and tests that need two are skipped by the others.
   */
  readonly nodes: number | undefined;
  /** Receives all that ginkgo prints. */
  readonly logFile: string;
  readonly onOutcome: (outcome: Outcome) => void;
}

export interface SuiteRun {
  /** Resolves when ginkgo has ended, with the end of its output. */
  readonly ended: Promise<string>;
  /** Ends ginkgo and the tests under way, which stay without an outcome. */
  stop(): Promise<void>;
}

/** Runs tests of the official suite against a cluster. */
export async function startSuite(options: SuiteOptions): Promise<SuiteRun> {
  const ginkgo = await ensureProgram("ginkgo");
  const suite = await ensureProgram("e2e.test");
  const kubectl = await ensureProgram("kubectl");
  const command = [
    ...(options.nice ? ["nice"] : []),
    ginkgo,
    "-p",
    `--procs=${Math.max(2, options.procs)}`,
    "-v",
    "--no-color",
    "--silence-skips",
    "--timeout=24h",
    `--focus=${focusOf(options.tests)}`,
    suite,
    "--",
    `--kubeconfig=${options.kubeconfig}`,
    "--provider=skeleton",
    "--allowed-not-ready-nodes=-1",
    ...(options.nodes === undefined ? [] : [`--num-nodes=${options.nodes}`]),
    `--kubectl-path=${kubectl}`,
    "--disable-log-dump",
  ];
  // A process group of its own: ginkgo starts the tests as processes, and all of them must go.
  const child = spawn(command[0] as string, command.slice(1), { stdio: ["ignore", "pipe", "pipe"], detached: true });
  const signalAll = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // they are gone, which is what we want
    }
  };
  const killAll = (): void => signalAll("SIGKILL");
  process.once("exit", killAll);

  const log = createWriteStream(options.logFile, { flags: "a" });
  const reader = createGinkgoReader(options.tests, options.onOutcome);
  const tail: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      log.write(`${line}\n`);
      reader.line(line);
      tail.push(line);
      if (tail.length > 40) tail.shift();
    });
  }
  const ended = new Promise<string>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => {
      reader.end();
      log.end();
      process.off("exit", killAll);
      resolve(tail.join("\n"));
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
