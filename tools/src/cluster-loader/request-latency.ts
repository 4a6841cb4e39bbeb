/** The slowest hundredth of one kind of request begins here. */
export interface RequestLatency {
  readonly verb: string;
  readonly resource: string;
  readonly scope: string;
  readonly count: number;
  /** Infinite when it lies above the last bucket. */
  readonly p99Seconds: number;
}

interface Histogram {
  readonly labels: Readonly<Record<string, string>>;
  /** By upper bound: how many answers took at most so long. */
  readonly buckets: Map<number, number>;
}

const metric = "apiserver_request_sli_duration_seconds_bucket";
const unlimited = /^(log|exec|portforward|attach|proxy)$/;

/** Pure: as upstream's simple query of its APIResponsiveness measurement, over the whole time between two answers of /metrics. */
export function latenciesOf(before: string, after: string): RequestLatency[] {
  const [earlier, later] = [readHistograms(before), readHistograms(after)];
  return [...later].flatMap(([key, { labels, buckets }]) => {
    const since = new Map([...buckets].map(([le, count]) => [le, count - (earlier.get(key)?.buckets.get(le) ?? 0)]));
    const count = since.get(Number.POSITIVE_INFINITY) ?? 0;
    const { verb = "", resource = "", subresource = "", scope = "" } = labels;
    if (count === 0 || verb === "WATCH" || verb === "WATCHLIST" || unlimited.test(subresource)) return [];
    const name = subresource === "" ? resource : `${resource}/${subresource}`;
    return [{ verb, resource: name, scope, count, p99Seconds: quantile(since, 0.99) }];
  });
}

function readHistograms(text: string): Map<string, Histogram> {
  const all = new Map<string, Histogram>();
  for (const line of text.split("\n")) {
    if (!line.startsWith(`${metric}{`)) continue;
    const end = line.lastIndexOf("}");
    const labels = Object.fromEntries(
      [...line.slice(metric.length + 1, end).matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    ) as Record<string, string>;
    // Groups and versions of a resource are one, as in upstream's query.
    const key = [labels["verb"], labels["resource"], labels["subresource"], labels["scope"]].join(" ");
    const le = labels["le"] === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels["le"]);
    const histogram = all.get(key) ?? { labels, buckets: new Map<number, number>() };
    histogram.buckets.set(le, (histogram.buckets.get(le) ?? 0) + Number(line.slice(end + 1)));
    all.set(key, histogram);
  }
  return all;
}

/** As Prometheus's histogram_quantile: linear within a bucket. */
function quantile(buckets: ReadonlyMap<number, number>, share: number): number {
  const sorted = [...buckets].sort(([a], [b]) => a - b);
  const rank = share * (sorted.at(-1)?.[1] ?? 0);
  const at = sorted.findIndex(([, count]) => count >= rank);
  const [upper, count] = sorted[at] ?? [Number.NaN, 0];
  const [lower, below] = sorted[at - 1] ?? [0, 0];
  if (upper === Number.POSITIVE_INFINITY) return upper;
  return lower + ((upper - lower) * (rank - below)) / (count - below);
}

/** Upstream's objectives (kubernetes/community, sig-scalability/slos/api_call_latency.md): 1 s, and for lists 5 s in a namespace, 30 s in a cluster. */
const objectiveOf = ({ verb, scope }: RequestLatency): number => (verb !== "LIST" ? 1 : scope === "cluster" ? 30 : 5);

export const slowerThanObjectives = (latencies: readonly RequestLatency[]): RequestLatency[] =>
  latencies.filter((latency) => latency.p99Seconds > objectiveOf(latency));

export type RequestClass = "single objects" | "lists of a namespace" | "lists of the cluster";

/** Pure: the slowest kind of request of each class. */
export function slowestByClass(latencies: readonly RequestLatency[]): Map<RequestClass, RequestLatency> {
  const slowest = new Map<RequestClass, RequestLatency>();
  for (const latency of latencies) {
    const objective = objectiveOf(latency);
    const name = objective === 1 ? "single objects" : objective === 5 ? "lists of a namespace" : "lists of the cluster";
    if (latency.p99Seconds > (slowest.get(name)?.p99Seconds ?? -1)) slowest.set(name, latency);
  }
  return slowest;
}
