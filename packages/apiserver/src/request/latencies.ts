import { formatDurationMs } from "@coxswain/apimachinery/time";
import type { Clock } from "@coxswain/runtime/clock";
import { type Soon, whenKnown } from "@coxswain/runtime/soon";

/** Where the time of a request goes, as upstream calls it (k8s.io/apiserver/pkg/endpoints/request/webhook_duration.go, LatencyTrackers). */
export type Layer =
  | "apf-queue-wait"
  | "authentication"
  | "authorization"
  | "decode-response-object"
  | "etcd"
  | "impersonation"
  | "mutating-webhook"
  | "response-write"
  | "serialize-response-object"
  | "transform-response-object"
  | "validating-webhook";

/** Of requests that take longer, the audit log has where the time went. */
const slowMs = 500;

/** One of several things that a layer's time went to. */
export interface LatencyPart {
  readonly layer: Layer;
  readonly name: string;
  readonly ms: number;
}

/** Parts that a request has names of: as many webhooks are called for it as are configured. */
const mostParts = 16;

/** Adds up where the time of one request goes. */
export class Latencies {
  readonly #spent = new Map<Layer, number>();
  #parts: LatencyPart[] | undefined;
  #last: { readonly layer: Layer; readonly clock: Pick<Clock, "monotonic">; readonly began: number } | undefined;

  add(layer: Layer, ms: number): void {
    this.#spent.set(layer, (this.#spent.get(layer) ?? 0) + ms);
  }

  /** Of things that are done at the same time: the longest counts. */
  addLongest(layer: Layer, ms: number): void {
    this.#spent.set(layer, Math.max(this.#spent.get(layer) ?? 0, ms));
  }

  /** Names what took some of a layer's time, which is added by the methods above. The first ones stay. */
  addPart(part: LatencyPart): void {
    this.#parts ??= [];
    if (this.#parts.length < mostParts) this.#parts.push(part);
  }

  get parts(): readonly LatencyPart[] | undefined {
    return this.#parts;
  }

  /** Does something that counts for the layer, until it is done. */
  track<T>(layer: Layer, clock: Pick<Clock, "monotonic">, work: () => Soon<T>): Soon<T> {
    const began = clock.monotonic();
    return whenKnown(work(), (done) => {
      this.add(layer, clock.monotonic() - began);
      return done;
    });
  }

  /** From here on all counts for the layer, until the log asks: the last bytes of a response are sent after its event is recorded. */
  beginLast(layer: Layer, clock: Pick<Clock, "monotonic">): void {
    this.#last = { layer, clock, began: clock.monotonic() };
  }

  /** What was added up so far, the last layer included. */
  entries(): readonly (readonly [Layer, number])[] {
    const last = this.#last && ([this.#last.layer, this.#last.clock.monotonic() - this.#last.began] as const);
    return last ? [...this.#spent, last] : [...this.#spent];
  }

  /** Annotations for the audit log; none of a request that was not slow. */
  *annotations(totalMs: number): Generator<[key: string, value: string], void> {
    if (totalMs <= slowMs) return;
    if (this.#last) this.add(this.#last.layer, this.#last.clock.monotonic() - this.#last.began);
    for (const [layer, ms] of this.#spent)
      if (ms > 0) yield [`apiserver.latency.k8s.io/${layer}`, formatDurationMs(ms)];
    yield ["apiserver.latency.k8s.io/total", formatDurationMs(totalMs)];
  }
}
