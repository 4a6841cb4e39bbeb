import { setTimeout as sleep } from "node:timers/promises";
import type { ManagedProcess } from "../../upstream/index.js";

/** A program that runs on a machine as a service: it is started again when it ends, unless it is kept down. */
export interface Service {
  readonly pid: number;
  /** How often it ended although nobody had killed it. */
  readonly failures: number;
  /** By SIGKILL; it stays down until `start`. */
  kill(): Promise<void>;
  /** By SIGTERM; likewise. */
  stop(): Promise<void>;
  /** @param next begins it from now on; else as before */
  start(next?: () => ManagedProcess): void;
  signal(signal: NodeJS.Signals): void;
}

/** As systemd does with `RestartSec=100ms`. */
const restartMs = 100;

export function runService(begin: () => ManagedProcess): Service {
  let current: ManagedProcess;
  let isWanted = true;
  let failures = 0;
  const launch = (): void => {
    const started = (current = begin());
    void started.ended.then(async () => {
      if (!isWanted || started !== current) return;
      failures++;
      await sleep(restartMs);
      if (isWanted && started === current) launch();
    });
  };
  launch();
  const end = async (how: () => void): Promise<void> => {
    isWanted = false;
    how();
    await current!.ended;
  };
  const send = (signal: NodeJS.Signals): void => {
    try {
      process.kill(current.pid, signal);
    } catch {
      // it has just ended
    }
  };
  return {
    get pid() {
      return current.pid;
    },
    get failures() {
      return failures;
    },
    kill: () => end(() => send("SIGKILL")),
    stop: () => end(() => void current.stop()),
    start(next = begin) {
      begin = next;
      if (isWanted) return;
      isWanted = true;
      launch();
    },
    signal: send,
  };
}
