import { describe, expect, it } from "vitest";
import { formatMatrix } from "./format-matrix.js";
import { outcomeOf } from "./kubectl-command.js";
import { firstDifference } from "./mask.js";

describe("the outcome of a command", () => {
  const done = (code: number, stdout: string, stderr = "") => ({ code, stdout, stderr });
  const cases = [
    { name: "ends well", command: { run: "x" }, result: done(0, "a"), problem: "" },
    {
      name: "fails: its first line is the problem",
      command: { run: "x" },
      result: done(1, "", "error: no\nmore"),
      problem: "error: no",
    },
    {
      name: "was to fail and did not",
      command: { run: "x", fails: true },
      result: done(0, "a"),
      problem: "did not fail",
    },
    {
      name: "failed as it should",
      command: { run: "x", fails: true, prints: /no/ },
      result: done(1, "", "no"),
      problem: "",
    },
    {
      name: "prints something else",
      command: { run: "x", prints: /b/ },
      result: done(0, "a"),
      problem: "printed otherwise: a",
    },
  ];
  for (const c of cases)
    it(c.name, () =>
      expect(outcomeOf(c.command, c.result)).toMatchObject({ ok: c.problem === "", problem: c.problem }),
    );
});

describe("comparing what two servers print", () => {
  it("leaves out ages, uids and addresses", () =>
    expect(firstDifference("a  5s 10.0.0.7\n", "a 12m  10.96.0.1\n")).toBeUndefined());
  it("names the first line that differs", () => expect(firstDifference("a\nb\n", "a\nc\n")).toBe('"b" not "c"'));
  it("names what is missing at the end", () => expect(firstDifference("a", "a\nc")).toBe('nothing, not "c"'));
});

it("prints a line for each command and a column for each release", () => {
  const [get, top] = [{ run: "kubectl get pods" }, { run: "kubectl top pods" }];
  const good = { ok: true, problem: "", printed: "" };
  const table = formatMatrix(
    [
      { minor: "1.27", outcomes: new Map([[get, good]]) },
      {
        minor: "1.33",
        outcomes: new Map([
          [get, good],
          [top, { ok: false, problem: "no", printed: "" }],
        ]),
      },
    ],
    [get, top],
  );
  expect(table.replace(/ +/g, " ")).toBe(
    "command 1.27 1.33\nget pods ok ok\ntop pods – FAIL\n\n1.33 top pods: no\n\n1.27: 1 of 1, 1.33: 1 of 2",
  );
});
