import { gzipSync } from "node:zlib";
import { type Metrics, metricsContentType } from "@coxswain/component/metrics";
import { acceptsGzip } from "../respond/gzip/accepts-gzip.js";
import type { PathSource } from "./path-source.js";

export interface MetricsPages {
  readonly metrics: Metrics;
  /** Results of health checks, on a page of their own: it is asked for often, and is small. */
  readonly healthMetrics: Metrics;
  /** When the process began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Awaited before `/metrics` is written, for what takes time to be known. */
  refresh(): Promise<void>;
}

/** `/metrics` and `/metrics/slis`, in Prometheus' text format whatever is asked for; for every method, as upstream has it. */
export const createMetricsPages =
  ({ metrics, healthMetrics, startedAt, refresh }: MetricsPages): PathSource =>
  async ({ info: { path }, request }) => {
    const source = path === "/metrics" ? metrics : path === "/metrics/slis" ? healthMetrics : undefined;
    if (!source) return undefined;
    if (source === metrics) await refresh();
    const bytes = new TextEncoder().encode(source.text());
    const zipped = acceptsGzip(request.header("accept-encoding"));
    return {
      as: "document",
      code: 200,
      contentType: metricsContentType,
      headers: { "process-start-time-unix": String(Math.floor(startedAt / 1000)), ...(zipped ? { "content-encoding": "gzip", vary: "Accept-Encoding" } : {}) },
      bytes: zipped ? gzipSync(bytes, { level: 1 }) : bytes,
    };
  };

export const metricsPaths = ["/metrics", "/metrics/slis"];
