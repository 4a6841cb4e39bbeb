import type { Clock } from "@coxswain/apimachinery/clock";
import type { ApiServer, Listener } from "@coxswain/apiserver";

export interface ShutdownOptions {
  /** How long to go on serving while `/readyz` already says no. */
  readonly delayMs: number;
  /** Answer new requests with 429 while the last ones are answered, instead of closing the port at once. */
  readonly sendRetryAfter: boolean;
  /** Over how long watches are ended. */
  readonly watchGraceMs: number;
}

/** The end of a server, in upstream's order: not ready, no new requests, requests answered, watches ended, connections closed. */
export async function shutDown(
  server: ApiServer,
  listener: Listener,
  { delayMs, sendRetryAfter, watchGraceMs }: ShutdownOptions,
  clock: Clock,
): Promise<void> {
  server.beginShutdown();
  if (delayMs > 0) await new Promise<void>((resolve) => void clock.setTimer(delayMs, resolve));
  if (sendRetryAfter) await server.refuseRequests();
  listener.stopAccepting();
  await server.stop({ watchGraceMs, closeSockets: () => listener.close() });
}
