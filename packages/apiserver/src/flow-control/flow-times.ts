import type { Histogram, HistogramSeries } from "@coxswain/runtime/metrics";
import type { FlowTally } from "./flow-tally.js";

export interface FlowHistograms {
  readonly waits: Histogram;
  readonly executions: Histogram;
  readonly estimates: Histogram;
  readonly watchers: Histogram;
}

/** What is measured of one flow's requests. A series is there once something was measured. */
export class FlowTimes {
  readonly #labels: readonly [level: string, schema: string];
  readonly #histograms: FlowHistograms;
  #waited: HistogramSeries | undefined;
  #refused: HistogramSeries | undefined;
  #executed: HistogramSeries | undefined;
  #initialised: HistogramSeries | undefined;
  #seats: HistogramSeries | undefined;
  #watchers: HistogramSeries | undefined;

  constructor({ level, schema }: FlowTally, histograms: FlowHistograms) {
    this.#labels = [level, schema];
    this.#histograms = histograms;
  }

  estimated(seats: number): void {
    (this.#seats ??= this.#histograms.estimates.with(...this.#labels)).observe(seats);
  }

  /** Number of watches that its event is sent to. */
  concerned(watches: number): void {
    (this.#watchers ??= this.#histograms.watchers.with(...this.#labels)).observe(watches);
  }

  /** It was let in after so long. */
  waited(ms: number): void {
    (this.#waited ??= this.#histograms.waits.with(...this.#labels, "true")).observe(ms / 1000);
  }

  /** It was refused after so long. */
  refused(ms: number): void {
    (this.#refused ??= this.#histograms.waits.with(...this.#labels, "false")).observe(ms / 1000);
  }

  executed(ms: number): void {
    (this.#executed ??= this.#histograms.executions.with(...this.#labels, "regular")).observe(ms / 1000);
  }

  /** A watch has sent what it begins with. */
  initialised(ms: number): void {
    (this.#initialised ??= this.#histograms.executions.with(...this.#labels, "watch")).observe(ms / 1000);
  }
}
