import type { RequestsJob, RequestsResult } from "./job.js";
import { openConnection, prepareRequest } from "./connection.js";
import type { LoadConnection } from "./connection.js";

export async function runRequests(job: RequestsJob): Promise<RequestsResult> {
  const request = prepareRequest(job.access, job.request);
  const connections: LoadConnection[] = [];
  for (let i = 0; i < job.connections; i++) connections.push(await openConnection(job.access));
  const latencies = new Float64Array(job.count);
  const statuses: Record<number, number> = {};
  let started = 0;
  let done = 0;
  let bytes = 0;
  const began = performance.now();
  await new Promise<void>((resolve, reject) => {
    const next = (connection: LoadConnection): void => {
      if (started === job.count) return;
      started++;
      const sent = performance.now();
      connection.send(request, {
        head: (status) => void (statuses[status] = (statuses[status] ?? 0) + 1),
        data: (part) => void (bytes += part.length),
        end(failure) {
          if (failure !== undefined) return reject(new Error(`a request failed: ${failure}`));
          latencies[done++] = performance.now() - sent;
          if (done === job.count) resolve();
          else next(connection);
        },
      });
    };
    for (const connection of connections) for (let i = 0; i < job.inFlightEach; i++) next(connection);
  });
  const seconds = (performance.now() - began) / 1000;
  for (const connection of connections) connection.close();
  latencies.sort();
  const at = (share: number): number => latencies[Math.min(job.count - 1, Math.floor(job.count * share))] ?? 0;
  return { seconds, statuses, bytes, p50Ms: at(0.5), p99Ms: at(0.99) };
}
