import { describe, expect, it } from "vitest";
import { createEnvironment } from "../environment/environment.js";
import { listsLibrary, optionalsLibrary } from "../extensions/index.js";
import { jsonToValue } from "../kubernetes/json-value.js";
import { dynType, intType, listType } from "../types/type.js";
import { showValue } from "../values/show-value.js";
import { ProgramError } from "./fold-constants.js";

const environment = createEnvironment({
  libraries: [optionalsLibrary, listsLibrary],
  optionalSyntax: true,
  variables: { i: intType, l: listType(intType), y: dynType },
});
const bindings = new Map([
  ["i", jsonToValue(5)],
  ["l", jsonToValue([1, 2, 3])],
  ["y", jsonToValue({ a: { b: null }, n: 1.5, __proto__x: 1 })],
]);

function run(text: string, options: { costLimit?: number; isInterrupted?: () => boolean } = {}) {
  const compiled = environment.compile(text);
  if (!compiled.ok) throw new Error(compiled.message);
  const { costLimit = Number.POSITIVE_INFINITY, ...others } = options;
  return environment.program(compiled.checked, { costLimit }).evaluate(bindings, others);
}

const result = (text: string): string => {
  const evaluated = run(text);
  return evaluated.ok ? showValue(evaluated.value) : `error: ${evaluated.error.message}`;
};

describe("evaluation", () => {
  const rows = [
    { name: "integers are 64 bits wide", text: "9007199254740993 + 9007199254740993", value: "18014398509481986" },
    { name: "what does not fit is an error", text: "9223372036854775807 + 1", value: "error: integer overflow" },
    { name: "a bigint becomes a number again", text: "9223372036854775807 - 9223372036854775806 == 1", value: "true" },
    { name: "division truncates", text: "-7 / 2", value: "-3" },
    { name: "there is no negative zero", text: "0 * -1", value: "0" },
    { name: "division by zero is an error", text: "i / 0", value: "error: division by zero" },
    { name: "an error beside a decision is absorbed", text: "1 / 0 == 1 || true", value: "true" },
    { name: "an error behind a decision is absorbed", text: "false && 1 / 0 == 1", value: "false" },
    { name: "an error without a decision stays", text: "1 / 0 == 1 || false", value: "error: division by zero" },
    { name: "a quantifier absorbs errors too", text: "[0, 1].exists(x, 1 / x == 1)", value: "true" },
    { name: "only one branch of a conditional is evaluated", text: "true ? 1 : 1 / 0", value: "1" },
    {
      name: "the cost of sorting what is no list is an ordinary one",
      text: "dyn(1).distinct()",
      value: "error: no such overload: distinct(int)",
    },
    {
      name: "the cost of sorting an error is an ordinary one",
      text: "[1 / 0].distinct()",
      value: "error: division by zero",
    },
    { name: "a member that is null is there", text: "has(y.a.b) && y.a.b == null", value: "true" },
    { name: "members of the prototype are not there", text: "has(y.constructor) || '__proto__' in y", value: "false" },
    { name: "a missing key is named", text: "y.nope", value: "error: no such key: nope" },
    { name: "an index beyond the list is named", text: "l[3]", value: "error: index out of bounds: 3" },
    { name: "an optional of null holds null", text: "y.a.?b.value() == null", value: "true" },
    {
      name: "a list under construction is not shared",
      text: "l.map(x, l.map(y, x * y))",
      value: "[[1, 2, 3], [2, 4, 6], [3, 6, 9]]",
    },
    { name: "fractions in JSON are doubles", text: "type(y.n) == double", value: "true" },
  ];
  for (const row of rows) it(row.name, () => expect(result(row.text)).toBe(row.value));

  it("a literal that cannot be converted fails before evaluation", () =>
    expect(() => run("duration('x')")).toThrow(ProgramError));
  it("a pattern that is none fails before evaluation", () =>
    expect(() => run("'a'.matches('(')")).toThrow(ProgramError));
});

describe("limits of an evaluation", () => {
  const long = "l.map(a, l.map(b, l.map(c, l.map(d, l.map(e, l.map(f, a * b))))))";
  it("ends when its cost exceeds the limit", () => {
    const evaluated = run(long, { costLimit: 1_000 });
    expect(evaluated).toMatchObject({ ok: false, isCostLimit: true });
    expect(evaluated.ok || evaluated.error.message).toBe("operation cancelled: actual cost limit exceeded");
    expect(evaluated.cost).toBeLessThan(1_100);
  });
  it("ends when it is interrupted", () => {
    const evaluated = run(long, { isInterrupted: () => true });
    expect(evaluated.ok || evaluated.error.message).toBe("operation interrupted");
  });
  it("costs the same every time", () => expect(run(long).cost).toBe(run(long).cost));
});
