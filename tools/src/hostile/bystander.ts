import { connect } from "node:http2";
import type { Target } from "./attack.js";
import { measureWaits } from "./processor-time.js";

export interface Observations {
  /** Of the GETs, in milliseconds, sorted. */
  readonly latencies: readonly number[];
  /** The same without the time in which the server, or this client, was ready to run and others had the processors. */
  readonly ownLatencies: readonly number[];
  /** GETs that were not answered with 200, and what came instead. */
  readonly failures: readonly string[];
}

/** Another user's GETs, one after another on one connection, until `isOver`. */
export async function observe(
  target: Target,
  waitedMs: () => number,
  isOver: (gets: number) => boolean,
): Promise<Observations> {
  const session = connect(`https://127.0.0.1:${target.port}`, target.tls);
  session.on("error", () => {});
  const latencies: number[] = [];
  const ownLatencies: number[] = [];
  const mineMs = measureWaits(process.pid);
  const failures: string[] = [];
  const get = (): Promise<string> =>
    new Promise((resolve) => {
      const stream = session.request({
        ":path": "/api/v1/namespaces/default",
        authorization: `Bearer ${target.token}`,
      });
      let status = 0;
      stream.on("response", (headers) => (status = headers[":status"] ?? 0));
      stream.on("error", (err) => resolve(err.message));
      stream.resume().on("end", () => resolve(String(status)));
    });
  for (let gets = 0; !isOver(gets); gets++) {
    const waited = [waitedMs(), mineMs()] as const;
    const start = performance.now();
    const outcome = await get();
    const ms = performance.now() - start;
    latencies.push(ms);
    // The two may overlap: no more than the longer one is taken off.
    ownLatencies.push(Math.max(0, ms - Math.max(waitedMs() - waited[0], mineMs() - waited[1])));
    if (outcome !== "200") failures.push(outcome);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  session.close();
  const ascending = (a: number, b: number): number => a - b;
  return { latencies: latencies.sort(ascending), ownLatencies: ownLatencies.sort(ascending), failures };
}

export const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
