import type { LoadConnection } from "./connection.js";
import { openConnection, prepareRequest } from "./connection.js";
import type { RequestsJob, RequestsResult } from "./job.js";

export async function runRequests({ unmeasured = 0, ...job }: RequestsJob): Promise<RequestsResult> {
  if (unmeasured > 0) await runRequests({ ...job, count: unmeasured });
  const request = prepareRequest(job.access, job.request);
  const connections: LoadConnection[] = [];
  for (let i = 0; i < job.connections; i++) connections.push(await openConnection(job.access));
  const latencies = new Float64Array(job.count);
  const statuses: Record<number, number> = {};
  let started = 0;
  let done = 0;
  let bytes = 0;
  const began = performance.now();
  const latest = began + (job.mostSeconds ?? Number.POSITIVE_INFINITY) * 1000;
  await new Promise<void>((resolve, reject) => {
    const next = (connection: LoadConnection): void => {
      const sent = performance.now();
      if (started === job.count || sent > latest) return;
      started++;
      connection.send(request, {
        head: (status) => void (statuses[status] = (statuses[status] ?? 0) + 1),
        data: (part) => void (bytes += part.length),
        end(failure) {
          if (failure !== undefined) return reject(new Error(`a request failed: ${failure}`));
          latencies[done++] = performance.now() - sent;
          next(connection);
          if (done === started) resolve();
        },
      });
    };
    for (const connection of connections) for (let i = 0; i < job.inFlightEach; i++) next(connection);
  });
  const seconds = (performance.now() - began) / 1000;
  for (const connection of connections) connection.close();
  const measured = latencies.subarray(0, done).sort();
  const at = (share: number): number => measured[Math.min(done - 1, Math.floor(done * share))] ?? 0;
  return { seconds, statuses, bytes, p50Ms: at(0.5), p99Ms: at(0.99) };
}
