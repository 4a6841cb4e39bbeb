import type { Runtime } from "@coxswain/runtime";
import type { RequestContext } from "../request/request-context.js";

/** The connections that were taken away from HTTP and are open now. */
export interface OpenStreams {
  readonly runtime: Runtime;
  /** `untilStopped` makes them. */
  readonly live: Set<AbortController>;
  readonly stopped: boolean;
}

/** Aborted when the client is gone or the server stops: what a stream lives for. */
export function untilStopped({ streams }: { readonly streams: OpenStreams }, { signal }: RequestContext): AbortSignal {
  const life = new AbortController();
  const end = (): void => {
    streams.live.delete(life);
    life.abort();
  };
  streams.live.add(life);
  if (signal.aborted || streams.stopped) end();
  else signal.addEventListener("abort", end, { once: true });
  return life.signal;
}
