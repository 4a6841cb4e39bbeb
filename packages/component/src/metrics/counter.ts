import type { Counter as CounterContract, MetricOptions } from "@coxswain/runtime/metrics";
import { Children } from "./children.js";
import type { Metric, WriteSample } from "./metric.js";

/** One series of a counter. */
export class CounterSeries {
  value = 0;

  add(amount: number): void {
    this.value += amount;
  }
}

/** Only ever grows. */
export class Counter implements Metric, CounterContract {
  readonly type = "counter";
  readonly options: MetricOptions;
  readonly #children: Children<CounterSeries>;

  constructor(options: MetricOptions) {
    this.options = options;
    this.#children = new Children(options.labels ?? [], () => new CounterSeries());
  }

  /** Keep what this returns where you count often. */
  with(...values: readonly string[]): CounterSeries {
    return this.#children.with(values);
  }

  /** The same for a metric with one label, where it is found again for every request. */
  of(value: string): CounterSeries {
    return this.#children.of(value);
  }

  write(sample: WriteSample): void {
    for (const { text, child } of this.#children.each()) sample("", text, child.value);
  }
}
