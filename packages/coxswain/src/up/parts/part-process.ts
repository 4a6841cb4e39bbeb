import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { PartName } from "@coxswain/cluster";
import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import { jsonLine, onJsonLines } from "./json-lines.js";
import type { ParentMessage, PartMessage, PartPlan } from "./part-plan.js";
import { failuresInARow, restartDelayMs } from "./restart-delay.js";

export interface PartProcessOptions {
  readonly name: PartName;
  /** What its lines in the log call it. */
  readonly title: string;
  /** Made anew for each start. */
  plan(): PartPlan;
  onMessage(message: PartMessage): void;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** For a part to end by itself; then it is killed. */
const stopMs = 10_000;

/**
 * A part of the cluster in a process of its own. One that ends is started again, at longer and longer intervals. It ends when its standard
 * input does, which the kernel closes however this process ends.
 */
export class PartProcess {
  /** Resolves when it works for the first time; rejects if it ends before. */
  readonly ready: Promise<void>;
  readonly #runtime: Runtime;
  readonly #options: PartProcessOptions;
  #child: Child | undefined;
  #restart: Timer | undefined;
  #isReady = false;
  #isStopping = false;
  #failures = 0;

  constructor(runtime: Runtime, options: PartProcessOptions) {
    this.#runtime = runtime;
    this.#options = options;
    this.ready = new Promise((resolve, reject) => this.#start(resolve, reject));
    this.ready.catch(() => {}); // those who wait for it see the error
  }

  /** Whether it works now. */
  get isReady(): boolean {
    return this.#isReady;
  }

  send(message: ParentMessage): void {
    this.#child?.stdin.write(jsonLine(message));
  }

  #start(onReady: () => void, onFailed?: (error: Error) => void): void {
    const { name, title, plan, onMessage } = this.#options;
    const { clock, log } = this.#runtime;
    const began = clock.monotonic();
    const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? "", "part", name], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#child = child;
    let wasReady = false;
    onJsonLines(child.stdout, (value) => {
      const message = value as PartMessage;
      onMessage(message);
      if (message.kind !== "ready") return;
      wasReady = this.#isReady = true;
      if (!onFailed) log.info(`the process of the ${title} works again`, { pid: child.pid });
      onReady();
    });
    child.stdin.on("error", () => {}); // it has ended, which is reported below
    child.stdin.write(jsonLine(plan()));
    const ended = (how: Record<string, unknown>): void => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#isReady = false;
      if (this.#isStopping) return;
      if (onFailed && !wasReady) return onFailed(new Error(`the process of the ${title} ended at its start`));
      this.#failures = failuresInARow(this.#failures, clock.monotonic() - began);
      const inMs = restartDelayMs(this.#failures);
      log.error(`the process of the ${title} ended and is started again`, { ...how, inMs });
      this.#restart = clock.setTimer(inMs, () => this.#start(() => {}));
    };
    child.once("error", (error) => ended({ error }));
    child.once("exit", (code, signal) => ended(signal === null ? { code } : { signal }));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#restart?.cancel();
    const child = this.#child;
    if (!child) return;
    const exited = once(child, "exit");
    child.stdin.end();
    const limit = this.#runtime.ioClock.setTimer(stopMs, () => child.kill("SIGKILL"));
    await exited;
    limit.cancel();
  }
}
