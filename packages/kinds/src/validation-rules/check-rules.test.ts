import { fieldErrorText, fieldPath } from "@coxswain/apimachinery/field";
import { readStructural } from "@coxswain/apimachinery/structural-schema";
import { describe, expect, it } from "vitest";
import { checkRules } from "./check-rules.js";
import { type KnownRule, knownRules } from "./known-rules.test.support.js";
import { costLimitExceeded, type Rule } from "./rule-compiler.js";
import { compileRules } from "./rule-tree.js";

const fails = (message: string) => (): never => {
  throw new Error(message);
};

/** The result of these rules for a number, and what is left of the budget. */
function run(rules: readonly Rule[], known: Record<string, KnownRule>, budget?: number): [string[], number] {
  const schema = readStructural({ type: "integer", "x-kubernetes-validations": rules });
  const tree = compileRules(schema, knownRules(known), { isResource: false, normalizeFieldPath: (text) => text });
  const checked = checkRules(tree!, 5, undefined, { path: fieldPath("n"), ...(budget !== undefined && { budget }) });
  return [checked.errors.map(fieldErrorText), checked.budget];
}
const rule = (text: string, more: Partial<Rule> = {}): Rule => ({ rule: text, ...more });
const outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run";

describe("what rules cost", () => {
  it("each rule is paid for", () =>
    expect(run([rule("a"), rule("b")], { a: { holds: () => 10 }, b: { holds: () => 20 } }, 100)).toEqual([[], 70]));
  it("a rule that cannot be paid for ends the run", () =>
    expect(run([rule("a"), rule("b")], { a: { holds: () => 200 }, b: { holds: fails("never") } }, 100)).toEqual([
      [`n: Invalid value: "integer": ${outOfBudget}`],
      -1,
    ]));
  it("nothing is run without a budget", () =>
    expect(run([rule("a")], { a: {} }, 0)).toEqual([[`n: Invalid value: "integer": ${outOfBudget}`], -1]));
  it("a call over its own limit ends the run", () =>
    expect(
      run([rule("a"), rule("b")], { a: { holds: fails(costLimitExceeded) }, b: { holds: fails("never") } }),
    ).toEqual([
      [
        `n: Invalid value: "integer": '${costLimitExceeded}': no further validation rules will be run due to call cost exceeds limit for rule: a`,
      ],
      -1,
    ]));
  it("a message that cannot be paid for ends the run", () => {
    const known = { a: { holds: () => false, message: () => 200 }, b: { holds: fails("never") } };
    expect(run([rule("a", { messageExpression: "m" }), rule("b")], known, 100)).toEqual([
      [
        'n: Invalid value: "integer": messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      ],
      -1,
    ]);
  });
  it("a message over its own limit ends the run", () => {
    const known = { a: { holds: () => false, message: fails(costLimitExceeded) } };
    expect(run([rule("a", { messageExpression: "m" })], known)[0]).toEqual([
      'n: Invalid value: "integer": no further validation rules will be run due to call cost exceeds limit for messageExpression: "m"',
    ]);
  });
});

describe("rules that fail", () => {
  const cases = [
    {
      name: "an operator without such an overload",
      known: { a: { holds: fails("no such overload") } },
      want: "'no such overload': call arguments did not match a supported operator, function or macro signature for rule: a",
    },
    {
      name: "any other error",
      known: { a: { holds: fails("division by zero") } },
      want: "division by zero evaluating rule: a",
    },
    {
      name: "one that did not compile",
      known: { a: { error: "compilation failed: x" } },
      want: "rule compile error: compilation failed: x",
    },
  ];
  for (const { name, known, want } of cases)
    it(name, () => expect(run([rule("a")], known)[0]).toEqual([`n: Invalid value: "integer": ${want}`]));
  it("a message that is too long is not shown", () =>
    expect(
      run([rule("a", { message: "own", messageExpression: "m" })], {
        a: { holds: () => false, message: () => "é".repeat(3000) },
      })[0],
    ).toEqual(["n: Invalid value: 5: own"]));
});

describe("schemas without a type", () => {
  it("report that their rules could not be compiled", () => {
    const schema = readStructural({
      type: "array",
      items: { "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-validations": [rule("a")] },
    });
    const tree = compileRules(schema, knownRules({ a: {} }), {
      isResource: false,
      normalizeFieldPath: () => undefined,
    });
    expect(checkRules(tree!, [1], undefined, { path: fieldPath("l") }).errors.map(fieldErrorText)).toEqual([
      'l[0]: Invalid value: "": rule compiler initialization error: failed to convert to declType for CEL validation rules',
    ]);
  });
});
