/** One series: its labels, its value and, where it is not of now, its time in milliseconds. */
export interface MetricSample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
  readonly at?: number;
  /** Of a histogram: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string;
}

export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Upstream's mark in front of the help. @default none, as cAdvisor's */
  readonly stability?: "STABLE" | "BETA" | "ALPHA";
  readonly samples: readonly MetricSample[];
}

/** Pure: metrics in the text format of Prometheus. A family without series is left out, as upstream's registries leave it out (k8s.io/component-base/metrics/registry.go, Gather). */
export function metricText(families: readonly MetricFamily[]): string {
  let text = "";
  for (const { name, help, type, stability, samples } of families) {
    if (samples.length === 0) continue;
    text += `# HELP ${name} ${stability ? `[${stability}] ` : ""}${help}\n# TYPE ${name} ${type}\n`;
    for (const { labels = {}, value, at, suffix = "" } of samples)
      text += `${name}${suffix}${labelText(labels)} ${value}${at === undefined ? "" : ` ${at}`}\n`;
  }
  return text;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.sort().join(",")}}`;
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };
const escape = (value: string): string => value.replace(/[\\"\n]/g, (character) => escapes[character] ?? character);
