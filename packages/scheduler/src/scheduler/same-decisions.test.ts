import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createSeededRandom } from "@coxswain/apimachinery/random";
import { describeWith } from "@coxswain/tools/needs";
import { cachedOwnProgram } from "@coxswain/tools/programs";
import { it } from "vitest";
import { objectKey } from "../pod/objects.js";
import { rankOf } from "../preemption/pick-candidate.js";
import { generateProblem } from "./generate-problem.test.support.js";
import type { Problem, Solution } from "./problem.test.support.js";
import { now, solve } from "./solve-problem.test.support.js";

/** `npm run scheduling-problems` puts all of them; `npm test` only the first. */
const count = Number(process.env["COXSWAIN_PROBLEMS"] ?? 60);
const seed = process.env["COXSWAIN_SEED"] ?? "problems";

describeWith(
  "scheduling decisions are upstream's",
  {
    found: cachedOwnProgram("scheduler-answers"),
    missing: "the program that asks upstream's scheduling framework (npm run programs)",
    timeout: 600_000,
  },
  (program) => {
    it(`for ${count} generated problems`, async () => {
      const random = createSeededRandom(seed);
      const problems = Array.from({ length: count }, (_, at) => generateProblem(random.fork(String(at))));
      const answers = ask(program, problems);
      const differences: string[] = [];
      for (const [at, problem] of problems.entries()) {
        const ours = await solve(problem);
        const theirs = answers[at] as Solution;
        try {
          assert.deepEqual(withoutPick(ours), withoutPick(theirs));
          checkPick(problem, ours, theirs);
        } catch (error) {
          differences.push(`problem ${at}: ${error instanceof Error ? error.message : error}`);
        }
      }
      assert.equal(differences.length, 0, `${differences.length} differ:\n${differences.slice(0, 5).join("\n\n")}`);
    });
  },
);

function ask(program: string, problems: readonly Problem[]): unknown[] {
  const input = problems.map((problem) => JSON.stringify({ op: "schedule", ...problem })).join("\n");
  const { stdout, stderr, status } = spawnSync(program, { input, maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`the program failed: ${String(stderr).slice(-2000)}`);
  return String(stdout)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
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
