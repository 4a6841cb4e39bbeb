// npm run tool -- cluster-loader: see `usage`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { loadAverage } from "../bench/index.js";
import { stopOnSignal } from "../upstream/index.js";
import { findLoader } from "./find-loader.js";
import { planRuns } from "./plan-runs.js";
import { formatReport, type LoaderResult } from "./report.js";
import { runTest } from "./run-test.js";

const usage = `npm run tool -- cluster-loader --program PATH [flags]

Upstream's scale test against \`coxswain up\` with simulated nodes, each test on a cluster of its own. Ends with 1 when a test failed or a
request was slower than upstream's objectives allow.

  --program PATH     a checkout of kubernetes/perf-tests, or its folder clusterloader2; built with Go (minutes, the first time)
  --binary FILE      clusterloader2 built before; the tests are still those of the checkout
  --nodes A,B        sizes of clusters (default 100)
  --tests A,B        load, scheduler-throughput (default both)
  --pods-per-node N  of load, where the machine is too small for upstream's 30
  --rate N           pods per second that load creates and deletes (upstream: 10)
  --pods N           of scheduler-throughput (default: 10 for each node, at most upstream's 5000), created at --qps a second (default 100)
  --minutes N        after which a test has failed (default 60)
  --up-flags "..."   further flags of \`coxswain up\`
  --report DIR       junit.xml, summaries, logs and metrics of each run (default dist/cluster-loader)

The tests measure themselves, but for the latency of requests: upstream reads it from a Prometheus among the cluster's own pods, and simulated
pods run none. So the histograms are read from /metrics before and after, with upstream's query and thresholds.
`;
const { values } = parseArgs({
  options: {
    program: { type: "string" },
    binary: { type: "string" },
    nodes: { type: "string", default: "100" },
    tests: { type: "string", default: "load,scheduler-throughput" },
    "pods-per-node": { type: "string" },
    rate: { type: "string" },
    pods: { type: "string" },
    qps: { type: "string" },
    minutes: { type: "string", default: "60" },
    "up-flags": { type: "string", default: "" },
    report: { type: "string", default: "dist/cluster-loader" },
    help: { type: "boolean", default: false },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
const words = (text: string, by: string): string[] => text.split(by).filter((word) => word !== "");

async function run(program: string): Promise<number> {
  const report = resolve(values.report);
  const loader = findLoader({ checkout: resolve(program), binary: values.binary, print });
  const runs = planRuns({
    nodes: words(values.nodes, ",").map(Number),
    tests: words(values.tests, ","),
    podsPerNode: number(values["pods-per-node"]),
    rate: number(values.rate),
    pods: number(values.pods),
    qps: number(values.qps),
  });
  const abort = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  stopOnSignal(() => {
    abort.abort(new Error("stopped"));
    return running.catch(() => {});
  });
  const results: LoaderResult[] = [];
  for (const plan of runs) {
    const folder = join(report, `${plan.test}-${plan.nodes}`);
    mkdirSync(folder, { recursive: true });
    print(`${plan.test} with ${plan.nodes} nodes, at a load average of ${loadAverage().toFixed(1)}: ${folder}`);
    const options = { plan, loader, folder, minutes: Number(values.minutes), upFlags: words(values["up-flags"], " ") };
    const result = runTest({ ...options, signal: abort.signal });
    running = result;
    results.push(await result);
    const text = formatReport(results);
    writeFileSync(join(report, "report.txt"), `${text}\n`);
    print(text);
  }
  return results.every(({ failures, slowRequests }) => failures.length === 0 && slowRequests.length === 0) ? 0 : 1;
}

if (values.help || values.program === undefined) {
  print(usage);
  process.exitCode = values.help ? 0 : 2;
} else process.exitCode = await run(values.program);
