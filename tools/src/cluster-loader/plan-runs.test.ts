import { describe, expect, it } from "vitest";
import { planRuns, type Wanted } from "./plan-runs.js";

const upstreams: Wanted = {
  nodes: [100],
  tests: ["load"],
  podsPerNode: undefined,
  rate: undefined,
  pods: undefined,
  qps: undefined,
};

describe("runs of clusterloader2", () => {
  it("are every test with every number of nodes, the small clusters first", () => {
    const runs = planRuns({ ...upstreams, nodes: [500, 100], tests: ["load", "scheduler-throughput"] });
    expect(runs.map(({ test, nodes }) => `${test} ${nodes}`)).toEqual([
      "load 100",
      "scheduler-throughput 100",
      "load 500",
      "scheduler-throughput 500",
    ]);
  });

  const cases = [
    { name: "load is upstream's where nothing else is wanted", wanted: upstreams, overrides: {} },
    {
      name: "load may be scaled down",
      wanted: { ...upstreams, podsPerNode: 10, rate: 30 },
      overrides: { PODS_PER_NODE: 10, CL2_LOAD_TEST_THROUGHPUT: 30 },
    },
  ];
  for (const { name, wanted, overrides } of cases)
    it(name, () => expect(planRuns(wanted)[0]?.overrides).toEqual(overrides));

  it("scheduler-throughput has ten pods for each node, at most upstream's 5,000", () => {
    const podsOf = (nodes: number): unknown =>
      planRuns({ ...upstreams, nodes: [nodes], tests: ["scheduler-throughput"] })[0]?.overrides[
        "CL2_SCHEDULER_THROUGHPUT_PODS"
      ];
    expect([100, 1_000].map(podsOf)).toEqual([1_000, 5_000]);
  });

  it("of a test that upstream does not have are refused", () => {
    expect(() => planRuns({ ...upstreams, tests: ["density"] })).toThrow('no test "density"');
  });
});
