import type { ManagedProcess } from "../upstream/index.js";

/** A program that a run may kill and start again. */
export interface Restartable {
  /** Of the process that runs now, or ran last. */
  readonly pid: number;
  /** Resolves when it ends and nobody asked for that. */
  readonly ended: Promise<void>;
  /** As `kill -9` does; resolves when the process is gone. */
  kill(): Promise<void>;
  /** After `kill`. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** @param begin starts a process; called again after each kill */
export async function createRestartable(begin: () => Promise<ManagedProcess>): Promise<Restartable> {
  let current: ManagedProcess;
  let isWanted = true;
  let isGone = false;
  let report: () => void = () => {};
  const ended = new Promise<void>((resolve) => (report = resolve));
  const start = async (): Promise<void> => {
    isWanted = true;
    isGone = false;
    const started = await begin();
    current = started;
    void started.ended.then(() => {
      if (started !== current) return;
      isGone = true;
      if (isWanted) report();
    });
  };
  await start();
  return {
    get pid() {
      return current.pid;
    },
    ended,
    async kill() {
      isWanted = false;
      if (isGone) throw new Error(`process ${current.pid} was to be killed, and had ended by itself`);
      process.kill(current.pid, "SIGKILL");
      await current.ended;
    },
    start,
    async stop() {
      isWanted = false;
      await current.stop();
    },
  };
}
