import type { ApiRequest, ApiServer, ResponseSink } from "@coxswain/apiserver";

export interface HeldRequests {
  /** For the listener. */
  take(request: ApiRequest, sink: ResponseSink): void;
  /** What has come so far, in its order, and whatever comes from now on, is the server's. */
  release(server: Pick<ApiServer, "serve">): void;
}

/** Requests that come while the server starts wait for it, so that clients connect meanwhile instead of being turned away. */
export function holdRequests(): HeldRequests {
  const waiting: [ApiRequest, ResponseSink][] = [];
  let serve = (request: ApiRequest, sink: ResponseSink): void => void waiting.push([request, sink]);
  return {
    take: (request, sink) => serve(request, sink),
    release(server) {
      serve = (request, sink) => void server.serve(request, sink);
      for (const [request, sink] of waiting.splice(0)) serve(request, sink);
    },
  };
}
