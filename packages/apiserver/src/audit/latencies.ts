import { formatDurationMs } from "@coxswain/apimachinery/time";

/** Where the time of a request goes, as upstream calls it. */
export type Layer = "apf-queue-wait" | "authentication" | "authorization" | "etcd" | "impersonation" | "response-write";

/** Of requests that take longer, the log tells where the time went. */
const slowMs = 500;

/** Adds up where the time of one request goes. */
export class Latencies {
  readonly #spent = new Map<Layer, number>();

  add(layer: Layer, ms: number): void {
    this.#spent.set(layer, (this.#spent.get(layer) ?? 0) + ms);
  }

  /** Annotations for the audit log; none of a request that was not slow. */
  *annotations(totalMs: number): Generator<[key: string, value: string], void> {
    if (totalMs <= slowMs) return;
    for (const [layer, ms] of this.#spent) if (ms > 0) yield [`apiserver.latency.k8s.io/${layer}`, formatDurationMs(ms)];
    yield ["apiserver.latency.k8s.io/total", formatDurationMs(totalMs)];
  }
}
