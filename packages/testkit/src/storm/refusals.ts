import {
  internalError,
  type StatusError,
  serviceUnavailable,
  tooManyRequests,
  unauthorized,
} from "@coxswain/apimachinery/status";
import { TransportError, type TransportResponse } from "@coxswain/client/transport";

/** What a request meets in place of its answer. */
export type Refusal =
  | { readonly as: "status"; readonly error: StatusError }
  /** A page of a proxy, with this code. */
  | { readonly as: "page"; readonly code: number }
  /** Nothing listens. */
  | { readonly as: "unreachable" }
  /** The request is carried out, and the connection ends before the answer. */
  | { readonly as: "lost" };

/** An expired token is refused as one that was never valid. */
export const refusals: readonly Refusal[] = [
  { as: "status", error: tooManyRequests("too many requests", 2) },
  { as: "status", error: internalError("etcdserver: request timed out") },
  { as: "status", error: serviceUnavailable("the server is currently unable to handle the request") },
  { as: "status", error: unauthorized("Unauthorized") },
  { as: "page", code: 200 },
  { as: "page", code: 502 },
  { as: "unreachable" },
  { as: "lost" },
];

const page = "<html><body><h1>502 Bad Gateway</h1></body></html>";

/** A request is answered so, or rejects. */
export function refusedResponse(refusal: Exclude<Refusal, { as: "lost" }>): TransportResponse {
  if (refusal.as === "unreachable") throw new TransportError("connect", "connect ECONNREFUSED (storm)");
  if (refusal.as === "page") return response(refusal.code, "text/html", page);
  const { status } = refusal.error;
  const retryAfter = status.details?.retryAfterSeconds;
  return response(status.code, "application/json", JSON.stringify(status), retryAfter);
}

/** What opening a watch rejects with. */
export function refusedWatch(refusal: Exclude<Refusal, { as: "lost" }>): Error {
  if (refusal.as === "status") return refusal.error;
  return refusal.as === "page"
    ? new TransportError("malformed", `Unexpected token '<', "${page.slice(0, 6)}" is not valid JSON (storm)`)
    : new TransportError("connect", "connect ECONNREFUSED (storm)");
}

function response(status: number, contentType: string, body: string, retryAfter?: number): TransportResponse {
  const bytes = new TextEncoder().encode(body);
  return {
    status,
    header: (name) =>
      name === "content-type" ? contentType : name === "retry-after" ? retryAfter?.toString() : undefined,
    warnings: [],
    async value() {
      if (contentType === "application/json") return JSON.parse(body);
      throw new TransportError("malformed", `the answer is no JSON: ${body.slice(0, 20)} (storm)`);
    },
    bytes: () => Promise.resolve(bytes),
    async *stream() {
      yield bytes;
    },
  };
}
