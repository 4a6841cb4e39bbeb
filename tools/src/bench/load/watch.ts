import { setTimeout as sleep } from "node:timers/promises";
import type { LoadConnection } from "./connection.js";
import { openConnection, prepareRequest } from "./connection.js";
import type { WatchJob, WatchResult } from "./job.js";
import { runRequests } from "./requests.js";

const newline = 10;
/** Without an event for so long, what is missing will not come. */
const silenceMs = 30_000;

/** Events end with a newline, and JSON has none inside: counting them is counting events. */
export function countLines(part: Buffer): number {
  let count = 0;
  for (let at = part.indexOf(newline); at >= 0; at = part.indexOf(newline, at + 1)) count++;
  return count;
}

export async function runWatch(job: WatchJob): Promise<WatchResult> {
  const connections: LoadConnection[] = [];
  for (let i = 0; i < job.connections; i++) connections.push(await openConnection(job.access));
  const total = job.connections * job.watchesEach;
  const counters = { heads: 0, events: 0, bytes: 0, lastEvent: 0 };
  const watch = prepareRequest(job.access, job.watch);
  let refused: number | undefined;
  let failure: string | undefined;

  const openedAt = performance.now();
  await new Promise<void>((resolve, reject) => {
    const handlers = {
      head(status: number): void {
        if (status !== 200) refused ??= status;
        if (++counters.heads === total) resolve();
      },
      data(part: Buffer): void {
        counters.bytes += part.length;
        counters.events += countLines(part);
        counters.lastEvent = performance.now();
      },
      end(why?: string): void {
        failure ??= why ?? "a watch ended";
        if (refused === undefined && counters.heads < total) reject(new Error(failure));
      },
    };
    for (const connection of connections) for (let i = 0; i < job.watchesEach; i++) connection.send(watch, handlers);
  });
  const openSeconds = (performance.now() - openedAt) / 1000;
  if (refused !== undefined) return { openSeconds, deliverSeconds: 0, events: 0, bytes: 0, refused };

  await sleep(500); // whatever the servers still do for the opening is no part of the delivery
  counters.events = counters.bytes = 0;
  const wanted = total * job.creates;
  const begun = performance.now();
  counters.lastEvent = begun;
  await runRequests({
    kind: "requests",
    access: job.access,
    request: job.create,
    connections: 1,
    inFlightEach: job.createsInFlight,
    count: job.creates,
  });
  while (counters.events < wanted && failure === undefined) {
    if (performance.now() - counters.lastEvent > silenceMs) failure = "the rest never came";
    await sleep(5);
  }
  for (const connection of connections) connection.close();
  if (counters.events < wanted) throw new Error(`only ${counters.events} of ${wanted} events came: ${failure}`);
  return {
    openSeconds,
    deliverSeconds: (counters.lastEvent - begun) / 1000,
    events: counters.events,
    bytes: counters.bytes,
  };
}
