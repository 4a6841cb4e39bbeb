// npm run tool -- conformance <list> …: see arguments.ts.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  endWithStarter,
  missingForNodes,
  type NodeParts,
  ownNamespaces,
  runInOwnNamespaces,
  startNodesCluster,
  startUpCluster,
  type UpParts,
} from "../nodes/index.js";
import { cacheDirectory, cachedProgram, ensureProgram, stopOnSignal } from "../upstream/index.js";
import type { Arguments } from "./arguments.js";
import { nameOfParts, parseArguments, usage } from "./arguments.js";
import { formatJunit } from "./junit.js";
import { openKeptResults, stillToRun } from "./kept-results.js";
import { startSuite } from "./run-suite.js";
import { type Setting, startSetting } from "./setting.js";
import { formatTable, sentenceOf } from "./table.js";
import { listNames, nodesOf, readList } from "./test-list.js";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Set where this process runs in namespaces of its own, for real nodes. */
const inside = ownNamespaces();

function settingFor(asked: Arguments, folder: string): Promise<Setting> {
  const { parts, nodeParts, upParts, coxswain, list } = asked;
  if (upParts && inside) return startUpCluster({ parts: upParts, folder, namespaces: inside, coxswain });
  if (nodeParts && inside) return startNodesCluster({ parts: nodeParts, folder, namespaces: inside, coxswain, print });
  return startSetting({
    ...(parts
      ? { server: parts.apiserver, controllers: parts.controllers, scheduler: parts.scheduler, store: parts.store }
      : { server: "up" as const }),
    folder,
    coxswain,
    nodes: nodesOf(list),
    print,
  });
}

/** Starts this program anew where it can make nodes. */
async function runWithNodes(parts: NodeParts | UpParts): Promise<number> {
  const suite = (["ginkgo", "e2e.test"] as const).filter((name) => cachedProgram(name) === undefined);
  const missing = [...missingForNodes(parts), ...suite];
  if (missing.length === 0) return runInOwnNamespaces();
  print(`missing: ${missing.join("; ")}. "npm run tool -- prepare nodes" brings what it can.`);
  return 2;
}

async function run(asked: Arguments): Promise<number> {
  const results = join(cacheDirectory(), "conformance", nameOfParts(asked));
  mkdirSync(results, { recursive: true });
  const kept = openKeptResults(join(results, `${asked.list}.json`), { fresh: asked.fresh });
  const tests = readList(asked.list).filter((test) => asked.only?.test(test) ?? true);
  const toRun = stillToRun(tests, kept, asked);
  print(`${asked.list}: ${tests.length} tests, ${toRun.length} to run`);

  if (toRun.length > 0) {
    for (const name of ["ginkgo", "e2e.test", "kubectl"] as const) await ensureProgram(name);
    const folder = mkdtempSync(join(tmpdir(), "conformance-"));
    print(`data and logs: ${folder}`);
    const stops: (() => Promise<void>)[] = [];
    const stop = async (): Promise<void> => {
      for (const one of stops.splice(0).reverse()) await one();
    };
    stopOnSignal(stop);
    const setting = await settingFor(asked, folder);
    stops.push(() => setting.stop());
    let done = 0;
    const suite = await startSuite({
      tests: toRun,
      kubeconfig: setting.kubeconfig,
      procs: asked.procs,
      nice: asked.nice,
      nodes: asked.nodeParts?.nodes ?? asked.upParts?.nodes ?? (nodesOf(asked.list) === 0 ? 0 : undefined),
      logFile: join(folder, "ginkgo.log"),
      onOutcome(outcome) {
        kept.put(outcome);
        const why = outcome.verdict === "passed" ? "" : `\n    ${sentenceOf(outcome.message)}`;
        print(`${++done}/${toRun.length} ${outcome.verdict} ${outcome.test} (${outcome.seconds.toFixed(1)} s)${why}`);
      },
    });
    stops.push(() => suite.stop());
    const broken = await Promise.race([suite.ended.then(() => undefined), setting.broken]);
    await stop();
    if (broken !== undefined) print(`stopped: ${broken}`);
    else if (done === 0) print(`no test ran; ginkgo's last output:\n${await suite.ended}`);
  }

  const outcomes = tests.flatMap((test) => kept.get(test) ?? []);
  const junit = join(results, `${asked.list}.xml`);
  writeFileSync(junit, formatJunit(asked.list, outcomes));
  print(`\n${formatTable(outcomes)}\n\n${tests.length - outcomes.length} without an outcome; JUnit report: ${junit}`);
  return outcomes.length === tests.length && outcomes.every(({ verdict }) => verdict === "passed") ? 0 : 1;
}

if (inside !== undefined) endWithStarter();
try {
  const asked = parseArguments(process.argv.slice(2), listNames());
  const realNodes = asked === "help" ? undefined : (asked.nodeParts ?? asked.upParts);
  if (asked === "help") print(usage + listNames().join(", "));
  else if (realNodes && inside === undefined) process.exitCode = await runWithNodes(realNodes);
  else process.exitCode = await run(asked);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
}
