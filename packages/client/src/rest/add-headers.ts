import type { Interceptor } from "../transport/interceptor.js";
import type { TransportRequest } from "../transport/transport.js";

export type HeaderSource = (request: TransportRequest) => Readonly<Record<string, string>> | undefined;

/** Adds headers to every request; a request's own headers win. */
export function addHeaders(headersOf: HeaderSource): Interceptor {
  const extend = (request: TransportRequest): TransportRequest => {
    const headers = headersOf(request);
    // Assigned: in Node 20 a member that comes after a spread gives each object a hidden class of its own.
    return headers === undefined
      ? request
      : Object.assign({}, request, { headers: { ...headers, ...request.headers } });
  };
  return (next) => ({
    send: (request) => next.send(extend(request)),
    watch: (request) => next.watch(extend(request)),
    close: () => next.close(),
  });
}
