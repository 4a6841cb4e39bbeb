import { describe, expect, it } from "vitest";
import { parseUsage, type UsagePoint } from "./parse-usage.js";
import { usageRate } from "./usage-rate.js";

describe("what is read of a kubelet's /metrics/resource", () => {
  const page = `# HELP container_cpu_usage_seconds_total [STABLE] Cumulative cpu time
# TYPE container_cpu_usage_seconds_total counter
container_cpu_usage_seconds_total{container="web",namespace="shop",pod="a"} 1.5 1700000000000
container_memory_working_set_bytes{container="web",namespace="shop",pod="a"} 2048 1700000000000
container_start_time_seconds{container="web",namespace="shop",pod="a"} 1.6999e+09
container_cpu_usage_seconds_total{container="half",namespace="shop",pod="a"} 1
container_memory_working_set_bytes{container="none"} 1
node_cpu_usage_seconds_total 100.25 1700000000000
node_memory_working_set_bytes 4.096e+06 1700000000000
pod_cpu_usage_seconds_total{namespace="shop",pod="a"} 1.5 1700000000000
resource_scrape_error 0
node_cpu_usage_seconds_total NaN
constructor 1
`;
  const { node, pods } = parseUsage(page, 5);

  it("the machine", () =>
    expect(node).toEqual({ at: 1.7e12, cpuSeconds: 100.25, memoryBytes: 4_096_000, startedAt: 0 }));
  it("containers that have both processor and memory", () =>
    expect([...pods].map(([pod, containers]) => [pod, [...containers]])).toEqual([
      ["shop/a", [["web", { at: 1.7e12, cpuSeconds: 1.5, memoryBytes: 2048, startedAt: 1.6999e9 }]]],
    ]));
  it("nothing of what is no page of metrics", () =>
    expect(parseUsage("<html>\n\u0000", 0)).toEqual({ node: undefined, pods: new Map() }));
});

describe("usage between two looks", () => {
  const point = (seconds: number, cpuSeconds: number, startedAt = 0): UsagePoint => ({
    at: seconds * 1000,
    cpuSeconds,
    memoryBytes: 7,
    startedAt,
  });
  const cases: { name: string; last: UsagePoint; before?: UsagePoint; millicores: number | undefined }[] = [
    { name: "is the difference by the time", last: point(115, 4.5), before: point(100, 3), millicores: 100 },
    { name: "is not known after one look", last: point(115, 4.5), millicores: undefined },
    {
      name: "is not known of two looks at the same moment",
      last: point(100, 3),
      before: point(100, 3),
      millicores: undefined,
    },
    { name: "of a new container counts from its start", last: point(120, 2, 100), millicores: 100 },
    { name: "of a container that is a few seconds old is not known", last: point(105, 2, 100), millicores: undefined },
    {
      name: "of a container that was started again counts from there",
      last: point(120, 2, 100),
      before: point(90, 50, 1),
      millicores: 100,
    },
    {
      name: "of a counter that went back is not known",
      last: point(120, 2),
      before: point(90, 50),
      millicores: undefined,
    },
  ];
  for (const { name, last, before, millicores } of cases)
    it(name, () => {
      const rate = usageRate(last, before);
      expect(rate && rate.cpuNanoCores / 1e6).toBe(millicores);
    });
});
