import type { RunPlan } from "./plan-runs.js";
import type { Summaries } from "./read-summaries.js";
import { type RequestLatency, slowestByClass } from "./request-latency.js";

/** What one test of one size came to. */
export interface LoaderResult extends Summaries {
  readonly test: RunPlan["test"];
  readonly nodes: number;
  readonly overrides: RunPlan["overrides"];
  readonly failures: readonly string[];
  readonly latencies: readonly RequestLatency[];
  readonly slowRequests: readonly RequestLatency[];
  readonly seconds: number;
  /** Of `coxswain up`, resident, at the end. */
  readonly megabytes: number;
  /** Processors that it used on average. */
  readonly cores: number;
  /** The highest load average meanwhile. */
  readonly load: number;
}

/** Pure: a table of all runs, then what failed and what was changed. */
export function formatReport(results: readonly LoaderResult[]): string {
  const head = [
    "test",
    "nodes",
    "junit",
    "pod start p50/p99",
    "pods/s p50/max",
    "requests p99",
    "time",
    "memory",
    "cores",
    "load",
  ];
  return [head, head.map(() => "---"), ...results.map(cellsOf)]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .concat("", ...results.flatMap(notesOf))
    .join("\n");
}

const seconds = (value: number): string =>
  Number.isFinite(value) ? `${value.toFixed(2)} s` : "beyond the last bucket";

function cellsOf(result: LoaderResult): string[] {
  const startups = result.podStartups.map(
    ({ measurement, p50Ms, p99Ms }) => `${measurement} ${seconds(p50Ms / 1000)} / ${seconds(p99Ms / 1000)}`,
  );
  const slowest = [...slowestByClass(result.latencies)].map(
    ([name, { p99Seconds }]) => `${name} ${seconds(p99Seconds)}`,
  );
  return [
    result.test,
    String(result.nodes),
    result.failures.length === 0 ? "green" : `${result.failures.length} failed`,
    startups.join(", ") || "-",
    result.throughput ? `${result.throughput.p50.toFixed(0)} / ${result.throughput.max.toFixed(0)}` : "-",
    slowest.join(", ") || "-",
    `${result.seconds.toFixed(0)} s`,
    `${result.megabytes.toFixed(0)} MB`,
    result.cores.toFixed(1),
    result.load.toFixed(1),
  ];
}

function notesOf({ test, nodes, overrides, failures, slowRequests }: LoaderResult): string[] {
  const changed = Object.entries(overrides).map(([name, value]) => `${name}=${value}`);
  const slow = slowRequests.map(
    ({ verb, resource, scope, count, p99Seconds }) =>
      `${verb} ${resource} (${scope}, ${count} times) p99 ${seconds(p99Seconds)}`,
  );
  return [
    ...(changed.length > 0 ? [`${test} ${nodes}: other than upstream's: ${changed.join(" ")}`] : []),
    ...failures.map((failure) => `${test} ${nodes}: failed: ${failure}`),
    ...slow.map((line) => `${test} ${nodes}: slower than the objective: ${line}`),
  ];
}
