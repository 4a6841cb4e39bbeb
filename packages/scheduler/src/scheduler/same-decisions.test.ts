import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { createSeededRandom } from "@coxswain/runtime/random";
import { describeWith } from "@coxswain/tools/needs";
import { cachedOwnProgram } from "@coxswain/tools/programs";
import { describe, it } from "vitest";
import { objectKey } from "../pod/objects.js";
import { rankOf } from "../preemption/pick-candidate.js";
import { generateProblem } from "./generate-problem.test.support.js";
import type { Problem, Solution } from "./problem.test.support.js";
import { now, solve } from "./solve-problem.test.support.js";

/** `npm run tool -- scheduling-problems` puts 1,000 to upstream's framework; the answers to the first of them are recorded. */
const count = Number(process.env["COXSWAIN_PROBLEMS"] ?? 40);
const seed = process.env["COXSWAIN_SEED"] ?? "problems";
/** `COXSWAIN_RECORD=1 npm run tool -- scheduling-problems` writes it anew, after a change of the generator. */
const recordedFile = new URL("testdata/decisions.json.gz", import.meta.url);
const recordedCount = 150;

const generate = (from: string, howMany: number): readonly Problem[] => {
  const random = createSeededRandom(from);
  return Array.from({ length: howMany }, (_, at) => generateProblem(random.fork(String(at))));
};

async function compare(problems: readonly Problem[], answers: readonly Solution[]): Promise<void> {
  const differences: string[] = [];
  for (const [at, problem] of problems.entries()) {
    const [ours, theirs] = [await solve(problem), answers[at] ?? {}];
    try {
      assert.deepEqual(withoutPick(ours), withoutPick(theirs));
      checkPick(problem, ours, theirs);
    } catch (error) {
      differences.push(`problem ${at}: ${error instanceof Error ? error.message : error}`);
    }
  }
  assert.equal(differences.length, 0, `${differences.length} differ:\n${differences.slice(0, 5).join("\n\n")}`);
}

describe("scheduling decisions are those that upstream's framework made", () => {
  it(`for ${recordedCount} generated problems`, async () => {
    const answers = JSON.parse(gunzipSync(readFileSync(recordedFile)).toString()) as Solution[];
    await compare(generate("problems", recordedCount), answers);
  });
});

describeWith(
  "scheduling decisions are upstream's",
  {
    found: cachedOwnProgram("scheduler-answers"),
    missing: "the program that asks upstream's scheduling framework (npm run tool -- programs)",
    timeout: 600_000,
  },
  (program) => {
    it(`for ${count} generated problems`, async () => {
      const problems = generate(seed, count);
      const answers = ask(program, problems);
      if (process.env["COXSWAIN_RECORD"])
        writeFileSync(recordedFile, gzipSync(JSON.stringify(answers.slice(0, recordedCount)), { level: 9 }));
      await compare(problems, answers);
    });
  },
);

function ask(program: string, problems: readonly Problem[]): readonly Solution[] {
  const input = problems.map((problem) => JSON.stringify({ op: "schedule", ...problem })).join("\n");
  const { stdout, stderr, status } = spawnSync(program, { input, maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`the program failed: ${String(stderr).slice(-2000)}`);
  return String(stdout)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Solution);
}

/** An empty map and none are the same. */
function withoutPick(solution: Solution): object {
  return Object.fromEntries(
    Object.entries(solution).filter(
      ([name, value]) => name !== "pick" && (typeof value !== "object" || Object.keys(value).length > 0),
    ),
  );
}

/** Among nodes that are equally good upstream takes any. */
function checkPick({ pods }: Problem, ours: Solution, theirs: Solution): void {
  if (ours.pick === theirs.pick) return;
  const byKey = new Map(pods.map((pod) => [objectKey(pod), pod]));
  const rank = (node: string | undefined): unknown => {
    const candidate = ours.candidates?.[node ?? ""];
    if (candidate === undefined) return undefined;
    const victims = candidate.pods.flatMap((key) => byKey.get(key) ?? []);
    return rankOf({ pods: victims, budgetViolations: candidate.violations }, now);
  };
  assert.deepEqual(rank(ours.pick), rank(theirs.pick), `picked ${ours.pick}, upstream ${theirs.pick}`);
}
