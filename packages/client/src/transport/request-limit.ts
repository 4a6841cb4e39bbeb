import type { Clock } from "@coxswain/runtime/clock";
import type { TransportRequest } from "./transport.js";
import { TransportError } from "./transport-error.js";

/** The caller's signal and the time limit of a request as one signal. */
export interface RequestLimit {
  readonly signal: AbortSignal;
  /** Ends the request from this side. */
  cancel(): void;
  /** A watch has begun: from here on only the caller ends it. */
  endTimer(): void;
  /** The request is over: leaves no timer and no listener behind. */
  release(): void;
}

/** @param onRelease called at the first `release` */
export function limitRequest(
  { signal, timeoutMs }: Pick<TransportRequest, "signal" | "timeoutMs">,
  clock: Clock,
  onRelease: () => void = () => {},
): RequestLimit {
  const ending = new AbortController();
  const abort = (): void => ending.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  const timer =
    timeoutMs === undefined
      ? undefined
      : clock.setTimer(timeoutMs, () =>
          ending.abort(new TransportError("timeout", `no complete answer within ${timeoutMs} ms`)),
        );
  let released = false;
  return {
    signal: ending.signal,
    cancel: () => ending.abort(),
    endTimer: () => timer?.cancel(),
    release() {
      if (released) return;
      released = true;
      timer?.cancel();
      signal?.removeEventListener("abort", abort);
      onRelease();
    },
  };
}
