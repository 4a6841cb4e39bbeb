// npm run tool -- test-cmd [function …]: see arguments.ts.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatJunit } from "../conformance/junit.js";
import { openKeptResults, stillToRun } from "../conformance/kept-results.js";
import { sentenceOf } from "../conformance/table.js";
import { cacheDirectory, ensureProgram, stopOnSignal } from "../upstream/index.js";
import type { Arguments } from "./arguments.js";
import { parseArguments, usage } from "./arguments.js";
import { functionNamed, leftOut, recordedFunctions } from "./functions.js";
import { startScripts } from "./run-scripts.js";
import { startSetting } from "./setting.js";
import { formatTable } from "./table.js";
import { makeWorkspace } from "./workspace.js";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function run(asked: Arguments): Promise<number> {
  for (const name of ["kubectl", "kubectl-convert"] as const) await ensureProgram(name);
  if (asked.controllers === "upstream") await ensureProgram("kube-controller-manager");
  const folder = mkdtempSync(join(tmpdir(), "test-cmd-"));
  const workspace = await makeWorkspace(folder);
  const functions = recordedFunctions(workspace.legacyScript);
  const named = asked.functions.map((word) => functionNamed(word, functions));
  const wanted =
    named.length > 0
      ? named
      : functions.filter((name) => asked.all || asked.server === "upstream" || !(name in leftOut));

  const results = join(cacheDirectory(), "test-cmd");
  mkdirSync(results, { recursive: true });
  const controllers = asked.controllers === "upstream" ? "" : "-with-our-controllers";
  const setup = `${asked.server}${controllers}${asked.history ? "-with-history" : ""}`;
  const kept = openKeptResults(join(results, `${setup}.json`), { fresh: asked.fresh });
  const toRun = named.length > 0 ? named : stillToRun(wanted, kept, asked);
  print(`${functions.length} functions, ${wanted.length} wanted, ${toRun.length} to run; data and logs: ${folder}`);

  if (toRun.length > 0) {
    const stops: (() => Promise<void>)[] = [];
    const stop = async (): Promise<void> => {
      for (const one of stops.splice(0).reverse()) await one();
    };
    stopOnSignal(stop);
    const setting = await startSetting({ ...asked, folder, workspace });
    stops.push(() => setting.stop());
    let done = 0;
    const scripts = startScripts({
      workspace,
      port: setting.port,
      functions: toRun,
      logFile: join(folder, "scripts.log"),
      onOutcome(outcome) {
        kept.put(outcome);
        const why = outcome.verdict === "passed" ? "" : `\n    ${sentenceOf(outcome.message)}`;
        print(`${++done}/${toRun.length} ${outcome.verdict} ${outcome.test} (${outcome.seconds.toFixed(1)} s)${why}`);
      },
    });
    stops.push(() => scripts.stop());
    const end = await Promise.race([scripts.ended, setting.broken]);
    await stop();
    if (typeof end === "string") print(`stopped: ${end}`);
    else if (done < toRun.length)
      print(`the scripts ended after ${done} of ${toRun.length} functions; their last output:\n${end.rest}`);
  }

  const outcomes = wanted.flatMap((name) => kept.get(name) ?? []);
  const junit = join(results, `${setup}.xml`);
  writeFileSync(junit, formatJunit("test-cmd", outcomes));
  print(
    `\n${formatTable(functions, kept)}\n\n${wanted.length - outcomes.length} without an outcome; JUnit report: ${junit}`,
  );
  return outcomes.length === wanted.length && outcomes.every(({ verdict }) => verdict === "passed") ? 0 : 1;
}

try {
  const asked = parseArguments(process.argv.slice(2));
  if (asked === "help") print(usage);
  else process.exitCode = await run(asked);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
}
