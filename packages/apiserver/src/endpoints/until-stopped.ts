import type { HandlerDeps } from "./handler-deps.js";
import type { RequestContext } from "../request/request-context.js";

/** Aborted when the client is gone or the server stops: what a stream lives for. */
export function untilStopped({ streams }: HandlerDeps, { signal }: RequestContext): AbortSignal {
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
