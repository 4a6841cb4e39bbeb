import { describe, expect, it } from "vitest";
import { readSummaries } from "./read-summaries.js";
import { formatReport, type LoaderResult } from "./report.js";

const startups = JSON.stringify({
  version: "1.0",
  dataItems: [
    { data: { Perc50: 300, Perc90: 400, Perc99: 500 }, unit: "ms", labels: { Metric: "create_to_schedule" } },
    { data: { Perc50: 1380, Perc90: 2000, Perc99: 2340 }, unit: "ms", labels: { Metric: "pod_startup" } },
  ],
});

describe("the report of clusterloader2's runs", () => {
  it("has starts of pods and throughput of the summaries, and names what was changed, failed and slow", () => {
    const summaries = readSummaries([
      { name: "PodStartupLatency_Direct_load_2026.json", text: startups },
      { name: "SchedulingThroughput_load_2026.json", text: '{"perc50":16,"perc90":30,"perc99":40,"max":50}' },
      { name: "junit.json", text: "not read" },
    ]);
    const slow = { verb: "POST", resource: "pods", scope: "resource", count: 7, p99Seconds: 1.5 };
    const result: LoaderResult = {
      test: "load",
      nodes: 100,
      overrides: { PODS_PER_NODE: 10 },
      failures: ["step 5: late"],
      ...summaries,
      latencies: [slow],
      slowRequests: [slow],
      seconds: 61,
      megabytes: 321,
      cores: 0.84,
      load: 2.5,
    };
    expect(formatReport([result]).split("\n").slice(2)).toEqual([
      "| load | 100 | 1 failed | Direct 1.38 s / 2.34 s | 16 / 50 | single objects 1.50 s | 61 s | 321 MB | 0.8 | 2.5 |",
      "",
      "load 100: other than upstream's: PODS_PER_NODE=10",
      "load 100: failed: step 5: late",
      "load 100: slower than the objective: POST pods (resource, 7 times) p99 1.50 s",
    ]);
  });
});
