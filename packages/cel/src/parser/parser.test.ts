import { describe, expect, it } from "vitest";
import { type Expr } from "../ast/expr.js";
import { showValue } from "../values/show-value.js";
import { parse } from "./parser.js";
import { standardMacros } from "./standard-macros.js";

/** An expression with all its operators as calls. */
function show(expr: Expr): string {
  switch (expr.kind) {
    case "literal":
      return typeof expr.value === "string" ? JSON.stringify(expr.value) : showValue(expr.value);
    case "ident":
      return expr.name;
    case "select":
      return `${show(expr.operand)}.${expr.field}${expr.testOnly ? "?" : ""}`;
    case "call": {
      const args = expr.args.map(show).join(", ");
      return expr.target === undefined ? `${expr.function}(${args})` : `${show(expr.target)}.${expr.function}(${args})`;
    }
    case "list":
      return `[${expr.elements.map(show).join(", ")}]`;
    case "map":
      return `{${expr.entries.map(({ key, value }) => `${show(key)}: ${show(value)}`).join(", ")}}`;
    case "struct":
      return `${expr.typeName}{${expr.fields.map(({ name, value }) => `${name}: ${show(value)}`).join(", ")}}`;
    case "comprehension":
      return `fold(${show(expr.range)}, ${expr.variable}, ${show(expr.init)}, ${show(expr.condition)}, ${show(expr.step)}, ${show(expr.result)})`;
    case "unspecified":
      return "?";
  }
}

const parsed = (text: string, optionalSyntax = false): string => {
  const { parsed: result, issues } = parse(text, { macros: standardMacros, optionalSyntax });
  return issues.count > 0 ? issues.toString() : show(result.expr);
};

describe("an expression is parsed by precedence", () => {
  const rows = [
    { text: "1 + 2 * 3 - 4", tree: "_-_(_+_(1, _*_(2, 3)), 4)" },
    { text: "a || b && c", tree: "_||_(a, _&&_(b, c))" },
    { text: "a && b && c && d", tree: "_&&_(_&&_(a, b), _&&_(c, d))" },
    { text: "a ? b : c ? d : e", tree: "_?_:_(a, b, _?_:_(c, d, e))" },
    { text: "1 in [1, 2,] == true", tree: "_==_(@in(1, [1, 2]), true)" },
    { text: "-1", tree: "-1" },
    { text: "--1", tree: "1" },
    { text: "-a.b", tree: "-_(a.b)" },
    { text: "!!!a", tree: "!_(a)" },
    { text: "a.b[c].d(e)", tree: "_[_](a.b, c).d(e)" },
    { text: ".a.b", tree: ".a.b" },
    { text: "a.B{c: 1, d: 2}", tree: "a.B{c: 1, d: 2}" },
    { text: "{'a': 1, 2: b}", tree: '{"a": 1, 2: b}' },
    { text: "has(a.b)", tree: "a.b?" },
    { text: "r'\\n' + \"\\u00e9\" // comment", tree: '_+_("\\\\n", "é")' },
    { text: "9223372036854775807", tree: "9223372036854775807" },
    {
      text: "l.all(x, x > 0)",
      tree: "fold(l, x, true, @not_strictly_false(@result), _&&_(@result, _>_(x, 0)), @result)",
    },
    {
      text: "l.filter(x, x)",
      tree: "fold(l, x, [], true, _?_:_(x, _+_(@result, [x]), @result), @result)",
    },
  ];
  for (const row of rows) it(row.text, () => expect(parsed(row.text)).toBe(row.tree));
});

describe("optional syntax", () => {
  it("is a call of its own", () => expect(parsed("a.?b[?c]", true)).toBe('_[?_](_?._(a, "b"), c)'));
  it("is refused where it is not enabled", () =>
    expect(parsed("a.?b")).toBe("ERROR: <input>:1:2: unsupported syntax '.?'\n | a.?b\n | .^"));
});

describe("an expression that cannot be parsed", () => {
  const at = (column: number, message: string, text: string): string =>
    `ERROR: <input>:1:${column}: ${message}\n | ${text}\n | ${".".repeat(column - 1)}^`;
  const rows = [
    { text: "for", message: "reserved identifier: for", column: 1 },
    { text: "9223372036854775808", message: "invalid int literal", column: 1 },
    { text: "l.all(1, true)", message: "argument must be a simple name", column: 7 },
    { text: "has(a)", message: "invalid argument to has() macro", column: 5 },
    { text: "'a' b", message: "Syntax error: extraneous input 'b' expecting <EOF>", column: 5 },
    { text: "a.true", message: "Syntax error: mismatched input 'true' expecting IDENTIFIER", column: 3 },
    { text: "(a", message: "Syntax error: missing ')' at '<EOF>'", column: 3 },
    { text: "#a", message: "Syntax error: token recognition error at: '#'", column: 1 },
  ];
  for (const { text, message, column } of rows)
    it(`${text} reports where and why`, () => expect(parsed(text)).toBe(at(column, message, text)));

  it("an empty text ends before its first column", () =>
    expect(parsed("")).toMatch(/^ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting \{[^\n]*$/));
  it("a text of spaces ends behind them", () => expect(parsed("  ")).toMatch(/^ERROR: <input>:1:3: Syntax error/));

  it("marks the column by code points, wide characters by wide dots", () =>
    expect(parsed("'é' + é").split("\n")[2]).toBe(" | .．....＾"));
});

describe("limits", () => {
  const recursion = "ERROR: <input>:-1:0: expression recursion limit exceeded: 250";
  it("a long expression is refused by its code points", () =>
    expect(parsed("1".repeat(100_001))).toBe(
      "ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000",
    ));
  it("nesting is limited", () => expect(parsed(`${"(".repeat(251)}1${")".repeat(251)}`)).toBe(recursion));
  it("a chain of operators nests once per operator", () => {
    expect(parsed(`1${" + 1".repeat(248)}`)).not.toContain("ERROR");
    expect(parsed(`1${" + 1".repeat(249)}`)).toBe(recursion);
  });
  it("a hundred thousand errors are reported as more than a hundred", () => {
    const text = parsed("@".repeat(99_000));
    expect(text.split("\n").at(-1)).toBe("1 more errors were truncated");
  });
});
