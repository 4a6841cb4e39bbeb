// npm run kwok: see `usage`.
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureProgram, stopOnSignal } from "../upstream/index.js";
import type { Cluster, Component } from "./cluster.js";
import { components, startCluster } from "./cluster.js";
import type { ErrorKind } from "./log-errors.js";
import { errorKinds, onlyIn } from "./log-errors.js";
import { story } from "./story.js";

const usage = `npm run tool -- kwok [flags]

Runs one scenario (nodes, a deployment of 100 pods, rolled, scaled, deleted) with upstream's controller manager, scheduler and
KWOK, first on kube-apiserver, then on our server. Ours passes when each step ends, and when the controller manager and the
scheduler log no error of a kind that they do not log on kube-apiserver.

  --only SERVER      ours or upstream: one of them, without the comparison
  --coxswain FILE    launcher of another build of ours (default: the one in this checkout)
`;

type ServerName = "ours" | "upstream";
interface RunResult {
  readonly seconds: readonly number[];
  /** Why the story ended early. */
  readonly failure: string | undefined;
  readonly errors: Readonly<Record<Component, readonly ErrorKind[]>>;
}

let running: Cluster | undefined;
stopOnSignal(async () => running?.stop());

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function runScenario(server: ServerName, folder: string, coxswain: string | undefined): Promise<RunResult> {
  mkdirSync(folder);
  const cluster = await startCluster({ server, folder, coxswain });
  running = cluster;
  const seconds: number[] = [];
  let failure: string | undefined;
  try {
    for (const step of story) {
      const began = performance.now();
      const broken = await Promise.race([step.run(cluster.kubectl), cluster.broken]);
      if (broken !== undefined) throw new Error(broken);
      seconds.push((performance.now() - began) / 1000);
      print(`${server}: ${step.title} (${seconds.at(-1)?.toFixed(1)} s)`);
    }
  } catch (error) {
    failure = (error as Error).message;
    print(`${server}: FAILED: ${story[seconds.length]?.title}: ${failure}`);
  } finally {
    await cluster.stop();
  }
  const [manager, scheduler] = components.map((component) => errorKinds(cluster.logOf(component)));
  return { seconds, failure, errors: { "kube-controller-manager": manager ?? [], "kube-scheduler": scheduler ?? [] } };
}

function compare(ours: RunResult, theirs: RunResult): boolean {
  const cell = (seconds: number | undefined): string => (seconds?.toFixed(1) ?? "-").padStart(9);
  print(`\n  ours (s)  kube-apiserver (s)`);
  for (const [index, step] of story.entries())
    print(` ${cell(ours.seconds[index])}  ${cell(theirs.seconds[index]).padStart(18)}  ${step.title}`);
  let same = true;
  for (const component of components) {
    const more = onlyIn(ours.errors[component], theirs.errors[component]);
    print(
      `${component}: ${ours.errors[component].length} kinds of errors on ours, ${theirs.errors[component].length} on kube-apiserver, ${more.length} only on ours`,
    );
    for (const { count, example } of more) print(`  ${count} × ${example}`);
    same &&= more.length === 0;
  }
  return same;
}

try {
  const { values } = parseArgs({
    options: { only: { type: "string" }, coxswain: { type: "string" }, help: { type: "boolean", default: false } },
  });
  if (values.help) print(usage);
  else {
    if (values.only !== undefined && values.only !== "ours" && values.only !== "upstream")
      throw new Error(`--only is ours or upstream, not ${values.only}`);
    for (const program of ["kwok", "kubectl", "kube-controller-manager", "kube-scheduler"] as const)
      await ensureProgram(program);
    const folder = mkdtempSync(join(tmpdir(), "kwok-"));
    print(`data and logs: ${folder}`);
    const asked: readonly ServerName[] = values.only === undefined ? ["upstream", "ours"] : [values.only as ServerName];
    const results = new Map<ServerName, RunResult>();
    for (const server of asked) results.set(server, await runScenario(server, join(folder, server), values.coxswain));
    const [ours, theirs] = [results.get("ours"), results.get("upstream")];
    const same = ours === undefined || theirs === undefined || compare(ours, theirs);
    process.exitCode = same && [...results.values()].every(({ failure }) => failure === undefined) ? 0 : 1;
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
}
