// npm run record -- [--check] [case files]
// Plays cases against the real kube-apiserver and writes its answers beside them; with --check it only compares, which
// also finds answers that differ from run to run. Without files: every case of every package.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { kubernetesVersion, stopOnSignal } from "../upstream/index.js";
import type { Recording } from "./answer.js";
import type { CaseFile } from "./case-files.js";
import { groupBySettings, readCase, readCases, readRecording, recordingPath } from "./case-files.js";
import { findDifferences, formatDifference } from "./differences.js";
import { formatJson } from "./format-json.js";
import type { Json } from "./json.js";
import { type Oracle, startOracle } from "./oracle.js";
import { playCase } from "./player.js";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

function allCases(): CaseFile[] {
  const folders = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name, "testdata/cases"));
  return folders.filter((folder) => existsSync(folder)).flatMap((folder) => readCases(folder));
}

/** Answers how many differences there were. */
function check(file: CaseFile, recording: Recording): number {
  const before = readRecording(file.path);
  const found = findDifferences(before?.answers ?? [], recording.answers);
  console.log(`${found.length === 0 && before !== undefined ? "same   " : "DIFFERS"} ${file.case.name}`);
  for (const difference of found) console.log(`  ${formatDifference(difference)}`);
  return before === undefined ? 1 : found.length;
}

/** Answers how many differences there were, or that the case could not be played. */
async function record(file: CaseFile, oracle: Oracle): Promise<number> {
  const answers = await playCase(file.case, oracle.request, { pause: sleep }).catch(
    (error: unknown) => void console.error(String(error)),
  );
  if (answers === undefined) return 1;
  const recording: Recording = { server: kubernetesVersion, answers };
  if (values.check) return check(file, recording);
  writeFileSync(recordingPath(file.path), `${formatJson(recording as unknown as Json)}\n`);
  console.log(`recorded ${relative(root, file.path)}`);
  return 0;
}

const { values, positionals } = parseArgs({ options: { check: { type: "boolean" } }, allowPositionals: true });
const files = positionals.length > 0 ? positionals.map((path) => readCase(resolve(path))) : allCases();
/** And cases that could not be played. */
let differences = 0;
let starting: Promise<Oracle> | undefined;
stopOnSignal(() =>
  Promise.resolve(
    starting?.then(
      (oracle) => oracle.stop(),
      () => undefined,
    ),
  ),
);
for (const { settings, files: group } of groupBySettings(files)) {
  starting = startOracle(undefined, settings);
  const oracle = await starting;
  try {
    for (const file of group) differences += await record(file, oracle);
  } finally {
    await oracle.stop();
  }
}
process.exitCode = differences > 0 ? 1 : 0;
