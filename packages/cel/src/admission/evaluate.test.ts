import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { type AccessQuestion, authorizerValue } from "../kubernetes/authorizer.js";
import { jsonToValue } from "../kubernetes/json-value.js";
import { createEvaluator, OutOfBudget } from "./evaluate.js";
import { createAdmissionCompiler } from "./policy-compiler.js";

const compilers = createAdmissionCompiler();
const options = { params: false, isStored: true };

function evaluate(
  expression: string,
  { variables = {}, budget = 10_000_000, object = {} as unknown, asked = [] as AccessQuestion[] } = {},
) {
  const compiler = compilers.forPolicy();
  for (const [name, text] of Object.entries<string>(variables)) compiler.addVariable(name, text, options);
  const check = (question: AccessQuestion) => {
    asked.push(question);
    return { isAllowed: question.verb === "get", reason: "because" };
  };
  const evaluator = createEvaluator({
    bindings: new Map([
      ["object", jsonToValue(object)],
      ["authorizer", authorizerValue({ name: "jane", groups: [] }, check)],
    ]),
    variables: compiler.variables,
  });
  return evaluator.evaluate(compiler.compile("validation", expression, options), { remaining: budget });
}

describe("evaluating expressions of admission policies", () => {
  it("reads the object", () => assert.deepEqual(evaluate("object.a == 1", { object: { a: 1 } }), { value: true }));

  it("evaluates a variable once however often it is used", () => {
    const asked: AccessQuestion[] = [];
    const outcome = evaluate("variables.v && variables.v", {
      variables: { v: "authorizer.path('/x').check('get').allowed()" },
      asked,
    });
    assert.deepEqual(outcome, { value: true });
    assert.equal(asked.length, 1);
  });

  it("does not evaluate a variable that is not used", () =>
    assert.deepEqual(evaluate("true || variables.v", { variables: { v: "1 / 0 == 1" } }), { value: true }));

  it("reports the error of a variable by its name", () =>
    assert.deepEqual(evaluate("variables.v == 1", { variables: { v: "1 / 0" } }), {
      error: `expression 'variables.v == 1' resulted in error: composited variable "v" fails to evaluate: division by zero`,
    }));

  it("reports what the object lacks", () =>
    assert.deepEqual(evaluate("object.a == 1"), {
      error: "expression 'object.a == 1' resulted in error: no such key: a",
    }));

  it("asks as a service account with its groups", () => {
    const asked: AccessQuestion[] = [];
    evaluate("authorizer.serviceAccount('n', 'sa').group('').resource('pods').check('get').allowed()", { asked });
    assert.deepEqual(asked[0]?.user, {
      name: "system:serviceaccount:n:sa",
      groups: ["system:serviceaccounts", "system:serviceaccounts:n"],
    });
  });

  it("refuses a service account that cannot exist", () =>
    assert.match(
      evaluate("authorizer.serviceAccount('n', 'A b').path('/x').check('get').allowed()").error ?? "",
      /Invalid service account name$/,
    ));

  it("allows two access checks in an expression and not three", () => {
    const check = "authorizer.path('/x').check('get').allowed()";
    assert.deepEqual(evaluate(`${check} && ${check}`), { value: true });
    assert.match(evaluate(`${check} && ${check} && ${check}`).error ?? "", /actual cost limit exceeded$/);
  });

  it("ends where the budget is spent", () =>
    assert.throws(() => evaluate("object == object", { budget: 1 }), OutOfBudget));
});
