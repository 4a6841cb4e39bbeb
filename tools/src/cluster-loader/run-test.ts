import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectApi, loadAverage, startOurCluster } from "../bench/index.js";
import { formatKubeconfig, startProcess } from "../upstream/index.js";
import type { Loader } from "./find-loader.js";
import type { RunPlan } from "./plan-runs.js";
import { readJunit } from "./read-junit.js";
import { readSummaries, type SummaryFile } from "./read-summaries.js";
import type { LoaderResult } from "./report.js";
import { latenciesOf, slowerThanObjectives } from "./request-latency.js";

export interface RunTestOptions {
  readonly plan: RunPlan;
  readonly loader: Loader;
  /** For the report, the logs and the metrics. */
  readonly folder: string;
  /** After so many the test has failed. */
  readonly minutes: number;
  readonly upFlags: readonly string[];
  readonly signal: AbortSignal;
}

/** On a cluster of its own, which is gone afterwards. */
export async function runTest(options: RunTestOptions): Promise<LoaderResult> {
  const { plan, folder, upFlags, signal } = options;
  const cluster = await startOurCluster(plan.nodes, { flags: upFlags });
  const api = connectApi(cluster.access, signal);
  const metrics = async (name: string): Promise<string> => {
    const { body } = await api.send("GET", "/metrics");
    writeFileSync(join(folder, `metrics-${name}.txt`), String(body));
    return String(body);
  };
  try {
    await api.until<{ items: unknown[] }>("/api/v1/nodes", ({ items }) => items.length === plan.nodes, 500);
    writeFileSync(join(folder, "kubeconfig"), formatKubeconfig(cluster.access), { mode: 0o600 });
    const [before, usedBefore, began] = [await metrics("before"), cluster.cpuSeconds(), performance.now()];
    const loads = [loadAverage()];
    const sampling = setInterval(() => loads.push(loadAverage()), 10_000);
    const ended = await runLoader(options).finally(() => clearInterval(sampling));
    const seconds = (performance.now() - began) / 1000;
    const latencies = latenciesOf(before, await metrics("after"));
    return {
      test: plan.test,
      nodes: plan.nodes,
      overrides: plan.overrides,
      failures: ended === undefined ? failuresIn(folder) : [ended],
      ...readSummaries(summariesIn(folder)),
      latencies,
      slowRequests: slowerThanObjectives(latencies),
      seconds,
      megabytes: (await cluster.residentBytes()) / 1e6,
      cores: (cluster.cpuSeconds() - usedBefore) / seconds,
      load: Math.max(...loads),
    };
  } finally {
    api.close();
    await cluster.stop();
  }
}

/** Resolves to why it did not run to its end, where it did not. */
async function runLoader({ plan, loader, folder, minutes, signal }: RunTestOptions): Promise<string | undefined> {
  const overrides = join(folder, "overrides.yaml");
  writeFileSync(overrides, `${JSON.stringify(plan.overrides, null, 1)}\n`);
  const started = startProcess({
    name: "clusterloader2",
    command: "env", // paths of tests begin in the loader's folder, and a process is started without one
    args: [
      `--chdir=${loader.folder}`,
      loader.program,
      "--provider=kind", // as local, but it does not look for the scheduler by ssh
      `--kubeconfig=${join(folder, "kubeconfig")}`,
      `--nodes=${plan.nodes}`,
      `--testconfig=${plan.config}`,
      `--testoverrides=${overrides}`,
      `--report-dir=${folder}`,
      "--enable-exec-service=false",
      "--enable-prometheus-server=false",
      // The cluster goes anyway, and upstream's latencies are of the time before, too.
      "--delete-automanaged-namespaces=false",
    ],
    logFile: join(folder, "clusterloader.log"),
  });
  let why: string | undefined;
  const end = (reason: string): void => {
    why = reason;
    void started.stop();
  };
  const timer = setTimeout(() => end(`not done after ${minutes} minutes`), minutes * 60_000);
  const onAbort = (): void => end("stopped");
  signal.addEventListener("abort", onAbort, { once: true });
  await started.ended;
  clearTimeout(timer);
  signal.removeEventListener("abort", onAbort);
  return why;
}

function failuresIn(folder: string): readonly string[] {
  try {
    return readJunit(readFileSync(join(folder, "junit.xml"), "utf8"));
  } catch (error) {
    return [`clusterloader2 wrote no junit.xml: ${String(error)}`];
  }
}

const summariesIn = (folder: string): SummaryFile[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
