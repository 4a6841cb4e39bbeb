import { gzipSync } from "node:zlib";
import { parseAccept } from "@coxswain/apimachinery/negotiation";
import type { MetricsRegistry } from "@coxswain/component/metrics";
import { metricsContentType, metricsProtobufType } from "@coxswain/component/metrics";
import { acceptsGzip } from "../respond/gzip/accepts-gzip.js";
import type { PathSource } from "./path-source.js";

export interface MetricsPages {
  readonly metrics: MetricsRegistry;
  /** Results of health checks, on a page of their own: it is asked for often, and is small. */
  readonly healthMetrics: MetricsRegistry;
  /** When the process began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Awaited before `/metrics` is written, for what takes time to be known. */
  refresh(): Promise<void>;
}

/** `/metrics` and `/metrics/slis`, in Prometheus' text format or, for who prefers it, in protobuf; for every method, as upstream has it (k8s.io/apiserver/pkg/server/routes/metrics.go, DefaultMetrics). */
export const createMetricsPages =
  ({ metrics, healthMetrics, startedAt, refresh }: MetricsPages): PathSource =>
  async ({ info: { path }, request }) => {
    const source = path === "/metrics" ? metrics : path === "/metrics/slis" ? healthMetrics : undefined;
    if (!source) return undefined;
    if (source === metrics) await refresh();
    const { isProtobuf, contentType } = chooseFormat(request.header("accept") ?? "");
    const bytes = isProtobuf ? Buffer.concat([...source.protobuf()]) : new TextEncoder().encode(source.text());
    const zipped = acceptsGzip(request.header("accept-encoding"));
    return {
      as: "document",
      code: 200,
      contentType,
      headers: {
        "process-start-time-unix": String(Math.floor(startedAt / 1000)),
        ...(zipped ? { "content-encoding": "gzip", vary: "Accept-Encoding" } : {}),
      },
      bytes: zipped ? gzipSync(bytes, { level: 1 }) : bytes,
    };
  };

const escapings = ["allow-utf-8", "underscores", "dots", "values"];

/** The format that the client prefers of those we have. None of our names needs escaping, so the escaping is only repeated in the content type. */
function chooseFormat(accept: string): { isProtobuf: boolean; contentType: string } {
  let escaping = "underscores";
  for (const { type, subtype, params } of parseAccept(accept)) {
    const wanted = params.get("escaping") ?? "";
    if (escapings.includes(wanted)) escaping = wanted;
    const isProtobuf =
      type === "application" &&
      subtype === "vnd.google.protobuf" &&
      params.get("proto") === "io.prometheus.client.MetricFamily" &&
      params.get("encoding") === "delimited";
    if (isProtobuf) return { isProtobuf, contentType: withEscaping(metricsProtobufType, escaping) };
    if (type === "text" && subtype === "plain" && ["0.0.4", ""].includes(params.get("version") ?? "")) break;
  }
  return { isProtobuf: false, contentType: withEscaping(metricsContentType, escaping) };
}

const withEscaping = (contentType: string, escaping: string): string =>
  contentType.replace(/escaping=.*$/s, `escaping=${escaping}`);

export const metricsPaths = ["/metrics", "/metrics/slis"];
