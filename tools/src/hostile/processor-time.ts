import { readFileSync } from "node:fs";

/**
 * How long a process's main thread was ready to run and did not get a processor, in milliseconds, since it began: Linux counts it.
 * On a machine that others use as well this is most of a latency, and no fault of the server. Elsewhere it is 0.
 */
export function measureWaits(pid: number): () => number {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  return () => {
    try {
      const [, waited = "0"] = readFileSync(file, "latin1").split(" ");
      return Number(waited) / 1e6;
    } catch {
      return 0; // no Linux, or the process is gone
    }
  };
}
