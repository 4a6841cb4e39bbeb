/** One test of one size. */
export interface RunPlan {
  readonly test: TestName;
  readonly nodes: number;
  /** Relative to the loader's folder. */
  readonly config: string;
  /** What differs from the test as upstream runs it. */
  readonly overrides: Readonly<Record<string, number | boolean>>;
}

export interface Wanted {
  readonly nodes: readonly number[];
  readonly tests: readonly string[];
  readonly podsPerNode: number | undefined;
  readonly rate: number | undefined;
  readonly pods: number | undefined;
  readonly qps: number | undefined;
}

const tests = ["load", "scheduler-throughput"] as const;
type TestName = (typeof tests)[number];

/** Upstream's own number of pods, for 5,000 nodes. */
const mostPods = 5_000;

/** Pure: every test with every number of nodes, the small clusters first. */
export const planRuns = (wanted: Wanted): RunPlan[] =>
  wanted.nodes.toSorted((a, b) => a - b).flatMap((nodes) => wanted.tests.map((test) => planRun(test, nodes, wanted)));

function planRun(test: string, nodes: number, wanted: Wanted): RunPlan {
  if (!isTest(test)) throw new Error(`there is no test "${test}"; there are ${tests.join(", ")}`);
  if (!Number.isInteger(nodes) || nodes < 1) throw new Error("--nodes takes numbers of nodes");
  const overrides = test === "load" ? loadOverrides(wanted) : throughputOverrides(nodes, wanted);
  return { test, nodes, config: `testing/${test}/config.yaml`, overrides };
}

const isTest = (name: string): name is TestName => (tests as readonly string[]).includes(name);

const loadOverrides = ({ podsPerNode, rate, qps }: Wanted): RunPlan["overrides"] => ({
  ...(podsPerNode !== undefined && { PODS_PER_NODE: podsPerNode }),
  ...(rate !== undefined && { CL2_LOAD_TEST_THROUGHPUT: rate }),
  ...(qps !== undefined && { CL2_DEFAULT_QPS: qps }),
});

/** The threshold is a number of pods per second that upstream's own clusters reach: here the measured one is reported, and 1 must be reached. */
function throughputOverrides(nodes: number, { pods, qps = 100 }: Wanted): RunPlan["overrides"] {
  return {
    CL2_SCHEDULER_THROUGHPUT_PODS: pods ?? Math.min(mostPods, 10 * nodes),
    CL2_SCHEDULER_THROUGHPUT_THRESHOLD: 1,
    CL2_DEFAULT_QPS: qps,
    CL2_DEFAULT_BURST: 2 * qps,
    CL2_UNIFORM_QPS: qps,
  };
}
