import type { Histogram as HistogramContract, HistogramOptions } from "@coxswain/runtime/metrics";
import { Children } from "./children.js";
import type { Metric, WriteSample } from "./metric.js";
import { numberText } from "./number-text.js";

/** One series of a histogram. Observing allocates nothing. */
export class HistogramSeries {
  readonly #bounds: readonly number[];
  /** How many fell between a bound and the one before it; the last are those above all bounds. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  /** `weight`: as if it had been observed so many times. */
  observe(value: number, weight = 1): void {
    const bounds = this.#bounds;
    let at = 0;
    // From below: nearly everything that is measured is small.
    while (at < bounds.length && value > (bounds[at] as number)) at += 1;
    this.counts[at]! += weight;
    this.sum += value * weight;
  }
}

export class Histogram implements Metric, HistogramContract {
  readonly type = "histogram";
  readonly options: HistogramOptions;
  readonly #children: Children<HistogramSeries>;
  readonly #bounds: readonly string[];

  constructor(options: HistogramOptions) {
    this.options = options;
    this.#bounds = [...options.buckets.map(numberText), "+Inf"];
    this.#children = new Children(options.labels ?? [], () => new HistogramSeries(options.buckets));
  }

  /** Keep what this returns where you observe often. */
  with(...values: readonly string[]): HistogramSeries {
    return this.#children.with(values);
  }

  /** The same for a metric with one label, where it is found again for every request. */
  of(value: string): HistogramSeries {
    return this.#children.of(value);
  }

  write(sample: WriteSample): void {
    this.options.beforeRead?.();
    for (const { text, child } of this.#children.each()) {
      const lead = text === "" ? "" : `${text},`;
      let total = 0;
      for (const [at, bound] of this.#bounds.entries()) {
        total += child.counts[at] ?? 0;
        sample("_bucket", `${lead}le="${bound}"`, total);
      }
      sample("_sum", text, child.sum);
      sample("_count", text, total);
    }
  }
}
