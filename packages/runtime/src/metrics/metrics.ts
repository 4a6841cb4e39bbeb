/** How much users may rely on a metric; shown in front of its help, as upstream does (k8s.io/component-base/metrics/opts.go, annotateStabilityLevel). `none`: metrics of the runtime, which carry no mark. */
export type Stability = "STABLE" | "BETA" | "ALPHA" | "INTERNAL" | "none";

export interface MetricOptions {
  readonly name: string;
  /** One sentence, on one line. */
  readonly help: string;
  /** Their names, in the order in which `with` takes their values. @default none */
  readonly labels?: readonly string[];
  readonly stability: Stability;
}

export interface HistogramOptions extends MetricOptions {
  /** Upper bounds, growing, without +Inf. */
  readonly buckets: readonly number[];
  /** Called before it is read, for what is only known then. */
  readonly beforeRead?: () => void;
}

export interface CounterSeries {
  add(amount: number): void;
}

/** Only ever grows. */
export interface Counter {
  /** Keep what this returns where you count often. */
  with(...values: readonly string[]): CounterSeries;
  /** The same for a metric with one label, where it is found again for every request. */
  of(value: string): CounterSeries;
}

export interface GaugeSeries {
  set(value: number): void;
  add(amount: number): void;
}

/** Goes up and down. */
export interface Gauge {
  /** Keep what this returns where you count often. */
  with(...values: readonly string[]): GaugeSeries;
}

export interface HistogramSeries {
  /** `weight`: as if it had been observed so many times. */
  observe(value: number, weight?: number): void;
}

export interface Histogram {
  /** Keep what this returns where you observe often. */
  with(...values: readonly string[]): HistogramSeries;
  /** The same for a metric with one label, where it is found again for every request. */
  of(value: string): HistogramSeries;
}

/** Reports the value of one series. */
export type ReportValue = (value: number, ...labels: readonly string[]) => void;

/** What a program counts and measures about itself. Asking twice for a metric of one name is a mistake, and throws. */
export interface Metrics {
  counter(options: MetricOptions): Counter;
  gauge(options: MetricOptions): Gauge;
  histogram(options: HistogramOptions): Histogram;
  /** A gauge whose values are looked up at every scrape. */
  collectGauge(options: MetricOptions, collect: (report: ReportValue) => void): void;
  /** The same for what only grows. */
  collectCounter(options: MetricOptions, collect: (report: ReportValue) => void): void;
}
