import { spawn } from "node:child_process";
import { once } from "node:events";

export interface TrafficOptions {
  readonly program: string;
  readonly endpoint: string;
  readonly traffic: string;
  readonly seed: number;
  /** Where it writes what it recorded. */
  readonly report: string;
}

export interface RunningTraffic {
  /** History before the revision may be compacted. */
  allowCompaction(revision: number): void;
  /** Ends it, and waits until all is recorded. */
  finish(): Promise<void>;
  kill(): void;
}

/** Starts etcd's traffic on the store, and waits until its clients are there. */
export async function startTraffic(options: TrafficOptions): Promise<RunningTraffic> {
  const { program, endpoint, traffic, seed, report } = options;
  const args = ["traffic", "--endpoint", endpoint, "--traffic", traffic, "--seed", String(seed), "--report", report];
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  child.stdin.on("error", () => {}); // it has ended; its code is looked at
  const ended = once(child, "close") as Promise<[number | null]>;
  const failed = ended.then(([code]) => {
    if (code !== 0) throw new Error(`the traffic ended with ${code}: ${errors.slice(-4000)}`);
  });
  failed.catch(() => {}); // who waits for it is answered
  await Promise.race([once(child.stdout, "data"), failed]);
  child.stdout.resume();
  return {
    allowCompaction: (revision) => void child.stdin.write(`compact ${revision}\n`),
    finish() {
      child.stdin.end("finish\n");
      return failed;
    },
    kill: () => void child.kill("SIGKILL"),
  };
}
