import type { Clock } from "@coxswain/runtime/clock";
import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";
import type { Handler } from "../serving/index.js";

/** controller-runtime's metrics of webhooks, under its names. */
export function countWebhooks(metrics: Metrics, clock: Clock): (path: string, handler: Handler) => Handler {
  const stability = "none";
  const latency = metrics.histogram({
    name: "controller_runtime_webhook_latency_seconds",
    help: "Histogram of the latency of processing admission requests",
    labels: ["webhook"],
    stability,
    buckets: exponentialBuckets(1e-8, 10, 12),
  });
  const total = metrics.counter({
    name: "controller_runtime_webhook_requests_total",
    help: "Total number of admission requests by HTTP status code.",
    labels: ["webhook", "code"],
    stability,
  });
  const inFlight = metrics.gauge({
    name: "controller_runtime_webhook_requests_in_flight",
    help: "Current number of admission requests being served.",
    labels: ["webhook"],
    stability,
  });
  return (path, handler) => async (request) => {
    const began = clock.monotonic();
    inFlight.with(path).add(1);
    let code = 500;
    try {
      const response = await handler(request);
      code = response?.status ?? (response ? 200 : 404);
      return response;
    } finally {
      inFlight.with(path).add(-1);
      total.with(path, String(code)).add(1);
      latency.with(path).observe((clock.monotonic() - began) / 1000);
    }
  };
}
