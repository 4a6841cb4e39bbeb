import { isStatusError } from "@coxswain/apimachinery/status";
import type { Clock } from "@coxswain/runtime/clock";
import type { Interceptor } from "../transport/interceptor.js";
import type { TransportRequest } from "../transport/transport.js";

/** One try of one request; what client-go's `rest_client_*` metrics are made of. */
export interface RequestRecord {
  readonly method: TransportRequest["method"];
  readonly path: string;
  readonly isWatch: boolean;
  /** Undefined: there was no answer. */
  readonly status: number | undefined;
  /** To the head of the answer. */
  readonly durationMs: number;
  readonly error?: unknown;
}

/** Calls `onRequest` after each try. */
export function observeRequests(onRequest: (record: RequestRecord) => void, { clock }: { clock: Clock }): Interceptor {
  async function observe<T>(
    request: TransportRequest,
    isWatch: boolean,
    work: Promise<T>,
    code: (answer: T) => number,
  ) {
    const began = clock.monotonic();
    const record = (status: number | undefined, error?: unknown): void =>
      onRequest({
        method: request.method,
        path: request.path,
        isWatch,
        status,
        durationMs: clock.monotonic() - began,
        ...(error === undefined ? {} : { error }),
      });
    try {
      const answer = await work;
      record(code(answer));
      return answer;
    } catch (error) {
      record(isStatusError(error) ? error.status.code : undefined, error);
      throw error;
    }
  }
  return (next) => ({
    send: (request) => observe(request, false, next.send(request), (response) => response.status),
    watch: (request) => observe(request, true, next.watch(request), () => 200),
    close: () => next.close(),
  });
}
