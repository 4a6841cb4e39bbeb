import type { ApiServer, Listener } from "@coxswain/apiserver";
import type { Runtime } from "@coxswain/runtime";
import type { Clock } from "@coxswain/runtime/clock";

export interface ShutdownOptions {
  /** How long to go on serving while `/readyz` already fails. */
  readonly delayMs: number;
  /** Answer new requests with 429 while the last ones are answered, instead of closing the port at once. */
  readonly sendRetryAfter: boolean;
  /** Over how long watches are ended. */
  readonly watchGraceMs: number;
}

export interface ShutdownDeps {
  readonly runtime: Runtime;
  /** After the delay and the grace of watches, requests have so long to be answered and read: no request has longer. ShutdownTimeout of kube-apiserver. */
  readonly requestTimeoutMs: number;
}

/** What is not over when its connections have been cut for so long is left behind: the store is closed, and the process ends. */
const afterCutMs = 5_000;

/**
 * The end of a server, in upstream's order: not ready, no new requests, requests answered, watches ended, connections closed. It ends in
 * time, whatever clients and backends do: behind the limit connections are cut.
 */
export async function shutDown(
  server: ApiServer,
  listener: Listener,
  { delayMs, sendRetryAfter, watchGraceMs }: ShutdownOptions,
  { runtime: { clock, log }, requestTimeoutMs }: ShutdownDeps,
): Promise<void> {
  server.beginShutdown();
  if (delayMs > 0) await new Promise<void>((resolve) => void clock.setTimer(delayMs, resolve));
  const over = stopInOrder(server, listener, { sendRetryAfter, watchGraceMs });
  const limitMs = requestTimeoutMs + watchGraceMs;
  if (await isOverIn(limitMs, over, clock)) return;
  log.warn("requests are not over in time: their connections are cut", { limitMs });
  listener.cut();
  if (await isOverIn(afterCutMs, over, clock)) return;
  over.catch(() => {}); // nobody waits for it any more
  log.warn("requests are not over though their connections are gone: the store is closed without them");
}

async function stopInOrder(
  server: ApiServer,
  listener: Listener,
  { sendRetryAfter, watchGraceMs }: Omit<ShutdownOptions, "delayMs">,
): Promise<void> {
  if (sendRetryAfter) {
    server.refuseRequests();
    await server.answered();
  }
  listener.stopAccepting();
  // While the caches still follow the store: over etcd a request that waits for one or the other would fail.
  await server.answered();
  await server.stop({ watchGraceMs, closeSockets: () => listener.close() });
}

/** Rejects as `over` does. */
function isOverIn(ms: number, over: Promise<void>, clock: Clock): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimer(ms, () => resolve(false));
    over.then(
      () => {
        timer.cancel();
        resolve(true);
      },
      (err: unknown) => {
        timer.cancel();
        reject(err as Error);
      },
    );
  });
}
