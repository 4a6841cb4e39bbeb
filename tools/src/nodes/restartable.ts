import { setTimeout as sleep } from "node:timers/promises";
import type { ManagedProcess } from "../upstream/index.js";

/** A program that a run may kill and start again. */
export interface Restartable {
  /** Of the process that runs now, or ran last. */
  readonly pid: number;
  /** Resolves when it ends and nobody asked for that; once it was killed, it is started again instead. */
  readonly ended: Promise<void>;
  /** As `kill -9` does; resolves when the process is gone. */
  kill(): Promise<void>;
  /** After `kill`. From then on it is started again when it ends, as a service is: a kubelet ends where it finds no runtime. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A service manager waits before it starts a program again. */
const restartMs = 1000;

/** @param begin starts a process; called again after each kill */
export async function createRestartable(begin: () => Promise<ManagedProcess>): Promise<Restartable> {
  let current: ManagedProcess;
  let isWanted = true;
  let isGone = false;
  let wasKilled = false;
  let report: () => void = () => {};
  const ended = new Promise<void>((resolve) => (report = resolve));
  const watch = async (started: ManagedProcess): Promise<void> => {
    await started.ended;
    if (started !== current) return;
    isGone = true;
    if (!isWanted) return;
    if (!wasKilled) return report();
    await sleep(restartMs);
    if (isWanted && started === current) await launch();
  };
  const launch = async (): Promise<void> => {
    const started = await begin();
    if (!isWanted) return started.stop();
    current = started;
    isGone = false;
    void watch(started);
  };
  await launch();
  return {
    get pid() {
      return current.pid;
    },
    ended,
    async kill() {
      isWanted = false;
      wasKilled = true;
      if (!isGone) process.kill(current.pid, "SIGKILL");
      await current.ended;
    },
    async start() {
      isWanted = true;
      await launch();
    },
    async stop() {
      isWanted = false;
      await current.stop();
    },
  };
}
