import type { ApiRequest, ApiServer, ResponseSink } from "@coxswain/apiserver";

/** Requests that come while the server starts wait for it, so that clients connect meanwhile instead of being turned away. */
export function holdRequests(ready: Promise<Pick<ApiServer, "serve">>): (request: ApiRequest, sink: ResponseSink) => void {
  let serve = (request: ApiRequest, sink: ResponseSink): void => void ready.then((server) => server.serve(request, sink), endsWithTheProcess);
  ready.then((server) => (serve = (request, sink) => void server.serve(request, sink)), endsWithTheProcess);
  return (request, sink) => serve(request, sink);
}

/** Whoever starts the server says what went wrong; its connections end with the process. */
const endsWithTheProcess = (): void => {};
