import { isStatusError } from "@coxswain/apimachinery/status";
import type { Interceptor } from "../transport/interceptor.js";
import type { TransportRequest } from "../transport/transport.js";

/** What is needed of OpenTelemetry's API package, which a user brings along: `trace.getTracer("my-operator")`. */
export interface Tracer {
  startSpan(name: string, options: { kind: number; attributes: Record<string, string | number> }): Span;
}

export interface Span {
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(error: Error): void;
  spanContext(): { traceId: string; spanId: string; traceFlags: number };
  end(): void;
}

const clientKind = 2;
const errorStatus = 2;

/** A span for each request, named as in OpenTelemetry's conventions for HTTP, which the server continues (`traceparent`). */
export function traceRequests(tracer: Tracer): Interceptor {
  async function traced<T>(
    request: TransportRequest,
    send: (request: TransportRequest) => Promise<T>,
    statusOf: (answer: T) => number,
  ): Promise<T> {
    const span = tracer.startSpan(request.method, {
      kind: clientKind,
      attributes: { "http.request.method": request.method, "url.path": request.path },
    });
    const { traceId, spanId, traceFlags } = span.spanContext();
    const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
    try {
      const answer = await send({ ...request, headers: { ...request.headers, traceparent } });
      const status = statusOf(answer);
      span.setAttribute("http.response.status_code", status);
      if (status >= 400) span.setStatus({ code: errorStatus });
      return answer;
    } catch (error) {
      if (isStatusError(error)) span.setAttribute("http.response.status_code", error.status.code);
      span.recordException(error as Error);
      span.setStatus({ code: errorStatus, message: (error as Error).message });
      throw error;
    } finally {
      span.end();
    }
  }
  return (next) => ({
    send: (request) =>
      traced(
        request,
        (given) => next.send(given),
        (response) => response.status,
      ),
    watch: (request) =>
      traced(
        request,
        (given) => next.watch(given),
        () => 200,
      ),
    close: () => next.close(),
  });
}
