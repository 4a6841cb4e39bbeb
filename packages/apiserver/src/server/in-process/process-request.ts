import { whenAborted } from "@coxswain/runtime/lazy-signal";
import type { ApiRequest } from "../../request/request.js";

/** A request that comes from no socket. */
export interface ProcessRequest extends Pick<ApiRequest, "method" | "body" | "signal" | "caller"> {
  /** Path and query, percent-encoded. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export function processRequest({ method, target, headers, body, signal, caller }: ProcessRequest): ApiRequest {
  const mark = target.indexOf("?");
  return {
    method,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? "" : target.slice(mark + 1),
    header: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
    headerNames: () => Object.keys(headers),
    body,
    signal,
    whenGone: (then) => whenAborted(signal, then),
    caller,
  };
}
