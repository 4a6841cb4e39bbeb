import { responseError } from "../transport/response-error.js";
import type { Transport, TransportRequest, TransportResponse } from "../transport/transport.js";
import type { WatchStream } from "../transport/watch-event.js";

/** Sends requests that are data; answers are values, refusals are StatusErrors. */
export interface RestClient {
  /** The body of a success. Throws a StatusError for a refusal, a TransportError when no answer came. */
  send(request: TransportRequest): Promise<unknown>;
  /** A success whose body is not one JSON value: logs, metrics, health. Throws as `send`. */
  open(request: TransportRequest): Promise<TransportResponse>;
  watch(request: TransportRequest): Promise<WatchStream>;
}

export interface RestClientOptions {
  readonly transport: Transport;
  /** For requests that name none, watches and streams aside. @default none */
  readonly timeoutMs?: number | undefined;
}

export function createRestClient({ transport, timeoutMs }: RestClientOptions): RestClient {
  const send = async (request: TransportRequest): Promise<TransportResponse> => {
    const response = await transport.send(request);
    if (response.status >= 200 && response.status <= 206) return response;
    throw responseError({
      method: request.method,
      path: request.path,
      status: response.status,
      header: (name) => response.header(name),
      body: await response.bytes(),
    });
  };
  return {
    async send(request) {
      const response = await send(
        request.timeoutMs === undefined && timeoutMs !== undefined ? { ...request, timeoutMs } : request,
      );
      return response.value();
    },
    open: send,
    watch: (request) => transport.watch(request),
  };
}
