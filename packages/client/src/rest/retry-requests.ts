import { isStatusError } from "@coxswain/apimachinery/status";
import type { Clock } from "@coxswain/runtime/clock";
import { sleepDuringWork } from "@coxswain/runtime/wait";
import type { Interceptor } from "../transport/interceptor.js";
import { retryAfter } from "../transport/response-error.js";
import type { TransportRequest, TransportResponse } from "../transport/transport.js";
import { isTransportError } from "../transport/transport-error.js";

export interface RetryPolicy {
  /** Beside the first try. @default 10, as client-go */
  readonly maxRetries?: number;
  readonly clock: Clock;
}

/** After a lost connection a GET is tried again this much later, as client-go does. */
const lostConnectionWaitSeconds = 1;

/**
 * Obeys `Retry-After` on 429 and 5xx, for every method: a server that sends it has not acted. A connection that was lost is
 * tried again for GETs, and for any method where the request was certainly never sent.
 */
export function retryRequests({ maxRetries = 10, clock }: RetryPolicy): Interceptor {
  async function attempt<T>(
    request: TransportRequest,
    send: () => Promise<T>,
    waitOf: (answer: T) => number | undefined,
    discard: (answer: T) => Promise<unknown>,
  ): Promise<T> {
    for (let retries = 0; ; retries++) {
      let seconds: number | undefined;
      try {
        const answer = await send();
        seconds = retries < maxRetries ? waitOf(answer) : undefined;
        if (seconds === undefined) return answer;
        await discard(answer);
      } catch (error) {
        seconds = retries < maxRetries && !request.signal?.aborted ? waitAfterError(error, request.method) : undefined;
        if (seconds === undefined) throw error;
      }
      await sleepDuringWork(seconds * 1000, { clock, signal: request.signal });
    }
  }
  return (next) => ({
    send: (request) =>
      attempt(
        request,
        () => next.send(request),
        waitAfterResponse,
        // The connection is free again once the body was read.
        (response) => response.bytes().catch(() => {}),
      ),
    watch: (request) =>
      attempt(
        request,
        () => next.watch(request),
        () => undefined,
        () => Promise.resolve(),
      ),
    close: () => next.close(),
  });
}

const mayRetry = (code: number): boolean => code === 429 || code >= 500;

function waitAfterResponse(response: TransportResponse): number | undefined {
  return mayRetry(response.status) ? retryAfter(response.header("retry-after")) : undefined;
}

/** A watch is refused by a StatusError; everything else that is thrown means that there was no answer. */
function waitAfterError(error: unknown, method: string): number | undefined {
  if (isStatusError(error)) {
    const { code, details } = error.status;
    return mayRetry(code) ? details?.retryAfterSeconds : undefined;
  }
  if (!isTransportError(error)) return undefined;
  // A server that cannot be reached at all is the caller's to wait for: a wrong address would otherwise take ten tries.
  if (error.kind === "lost" && (method === "GET" || error.neverSent)) return lostConnectionWaitSeconds;
  return undefined;
}
