import type { MetricsRegistry } from "@coxswain/component/metrics";
import type { Clock } from "@coxswain/runtime/clock";
import type { ResourceDefinition } from "../resource/index.js";
import type { Handler } from "../serving/index.js";
import {
  type Conversion,
  conversionHandler,
  conversionPath,
  countWebhooks,
  defaultingHandler,
  type Spoke,
  validatingHandler,
  webhookPath,
} from "../webhook/index.js";
import type { WebhookHandlers } from "./manager.js";

/** What a manager's webhook server answers, by path. */
export class WebhookTable {
  readonly paths = new Map<string, Handler>();
  readonly #conversions: Conversion[] = [];
  readonly #metrics: MetricsRegistry;
  readonly #clock: Clock;
  /** Metrics of webhooks are there where a webhook is. */
  #counted: ReturnType<typeof countWebhooks> | undefined;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#metrics = metrics;
    this.#clock = clock;
  }

  serve(path: string, handler: Handler): void {
    if (this.paths.has(path)) throw new Error(`can't register duplicate path: ${path}`);
    this.#counted ??= countWebhooks(this.#metrics, this.#clock);
    this.paths.set(path, this.#counted(path, handler));
  }

  admission<T extends object>(
    resource: ResourceDefinition<T>,
    { default: defaulter, validate }: WebhookHandlers<T>,
  ): void {
    if (defaulter) this.serve(webhookPath("mutate", resource), defaultingHandler(defaulter));
    if (validate) this.serve(webhookPath("validate", resource), validatingHandler(validate));
  }

  conversion<H extends object>(hub: ResourceDefinition<H>, spokes: readonly Spoke<H>[]): void {
    if (this.#conversions.length === 0) this.serve(conversionPath, conversionHandler(this.#conversions));
    // A conversion hands each function only objects of its own versions.
    this.#conversions.push({ hub, spokes: spokes as unknown as Conversion["spokes"] });
  }
}
