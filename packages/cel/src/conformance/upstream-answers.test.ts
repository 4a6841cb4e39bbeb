import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createEnvironment } from "../environment/environment.js";
import {
  bindingsLibrary,
  listsLibrary,
  optionalsLibrary,
  setsLibrary,
  stringsLibrary,
  twoVariableComprehensions,
} from "../extensions/index.js";
import { createBaseEnvironments } from "../kubernetes/environments.js";
import { type Answer, answer, isSameAnswer } from "./answer.js";
import { bindings, variables } from "./question-variables.js";

// What cel-go and Kubernetes' libraries answer to the strings in their own tests: tools/answers/cel, `go run . draw | gzip -9n`.
interface Row {
  readonly expression: string;
  readonly environment: "bare" | "kubernetes";
  readonly answer: Answer;
}

const file = new URL("testdata/upstream-answers.json.gz", import.meta.url);
const rows = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Row[];

const environments = {
  bare: createEnvironment({
    variables,
    optionalSyntax: true,
    libraries: [
      optionalsLibrary,
      stringsLibrary(2),
      listsLibrary,
      setsLibrary,
      twoVariableComprehensions,
      bindingsLibrary,
    ],
  }),
  kubernetes: createBaseEnvironments().forStored.extend({ variables }),
};

interface Gap {
  readonly reason: string;
  readonly covers: (row: Row) => boolean;
}

const gaps: readonly Gap[] = [
  { reason: "protobuf's well-known messages by name", covers: ({ expression }) => /google/.test(expression) },
  {
    reason: "errors that upstream finds in the rest of a tree after a syntax error",
    covers: ({ answer: { compileError = "" } }) =>
      /Syntax error/.test(compileError) &&
      /macro|unsupported ident kind|unsupported syntax|reserved/.test(compileError),
  },
  {
    reason: "messages with the names of Go's types",
    covers: ({ answer: { error = "" } }) => /interface conversion|map\[string\]interface/.test(error),
  },
];

const differs = (row: Row): boolean => !isSameAnswer(ours(row), row.answer);

const ours = ({ expression, environment }: Row): Answer =>
  answer(expression, {
    environment: environments[environment],
    bindings,
    estimator: { estimateSize: () => undefined },
    ...(environment === "kubernetes" ? { costLimit: 1_000_000 } : {}),
  });

describe("answers of cel-go and of Kubernetes' libraries", () => {
  it("are some thousands", () => expect(rows.length).toBeGreaterThan(5_000));

  it("are ours too: value, type, error texts, cost and estimate", () => {
    const wrong = rows.filter((row) => !gaps.some((gap) => gap.covers(row)) && differs(row));
    expect(wrong.map((row) => ({ expression: row.expression, theirs: row.answer, ours: ours(row) }))).toEqual([]);
  }, 120_000);

  for (const gap of gaps) {
    it(`a gap is still open: ${gap.reason}`, () => {
      const covered = rows.filter((row) => gaps.find((other) => other.covers(row)) === gap);
      expect(covered.some(differs)).toBe(true);
    });
  }
});
