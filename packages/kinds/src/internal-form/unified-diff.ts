import { append } from "@coxswain/apimachinery/append";
import { matchLines } from "./sequence-matcher.js";

const context = 3;

interface Step {
  readonly equal: boolean;
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

/** What changes from one text to the other, in hunks with three lines around them and without file names. */
export function unifiedDiff(before: string, after: string): string {
  const [a, b] = [before.split("\n"), after.split("\n")];
  return groupsOf(stepsOf(a, b))
    .map((group) => hunk(group, a, b))
    .join("");
}

function stepsOf(a: readonly string[], b: readonly string[]): Step[] {
  const steps: Step[] = [];
  let [i, j] = [0, 0];
  for (const { a: toA, b: toB, size } of matchLines(a, b)) {
    if (i < toA || j < toB) steps.push({ equal: false, aFrom: i, aTo: toA, bFrom: j, bTo: toB });
    [i, j] = [toA + size, toB + size];
    if (size > 0) steps.push({ equal: true, aFrom: toA, aTo: i, bFrom: toB, bTo: j });
  }
  return steps;
}

const head = (step: Step): Step => ({
  ...step,
  aTo: Math.min(step.aTo, step.aFrom + context),
  bTo: Math.min(step.bTo, step.bFrom + context),
});
const tail = (step: Step): Step => ({
  ...step,
  aFrom: Math.max(step.aFrom, step.aTo - context),
  bFrom: Math.max(step.bFrom, step.bTo - context),
});

/** Cuts long equal stretches: their ends belong to the changes beside them. */
function groupsOf(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  let group: Step[] = [];
  for (const [at, whole] of steps.entries()) {
    let step = whole;
    if (step.equal && at === 0) step = tail(step);
    if (step.equal && at === steps.length - 1) step = head(step);
    if (step.equal && step.aTo - step.aFrom > 2 * context) {
      groups.push([...group, head(step)]);
      group = [];
      step = tail(step);
    }
    group.push(step);
  }
  return group.some(({ equal }) => !equal) ? [...groups, group] : groups;
}

function hunk(group: readonly Step[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return "";
  const lines = [`@@ -${range(first.aFrom, last.aTo)} +${range(first.bFrom, last.bTo)} @@`];
  for (const { equal, aFrom, aTo, bFrom, bTo } of group) {
    if (equal)
      append(
        lines,
        a.slice(aFrom, aTo).map((line) => ` ${line}`),
      );
    else
      append(lines, [
        ...a.slice(aFrom, aTo).map((line) => `-${line}`),
        ...b.slice(bFrom, bTo).map((line) => `+${line}`),
      ]);
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Lines count from one; an empty range stands at the line before it. */
function range(from: number, to: number): string {
  if (to - from === 1) return String(from + 1);
  return to === from ? `${from},0` : `${from + 1},${to - from}`;
}
