import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type Answer, answer, isSameAnswer } from "../conformance/answer.js";
import { bindings, variables } from "../conformance/question-variables.js";
import { createBaseEnvironments } from "./environments.js";

// What Kubernetes' libraries answer to generated expressions: tools/answers/cel, `go run . libraries | gzip -9n`.
interface Row {
  readonly expression: string;
  readonly answer: Answer;
}

const file = new URL("testdata/library-answers.json.gz", import.meta.url);
const rows = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Row[];
const environment = createBaseEnvironments().forStored.extend({ variables });
const options = { environment, bindings, estimator: { estimateSize: () => undefined }, costLimit: 1_000_000 };

describe("Kubernetes' libraries", () => {
  it("are asked thousands of expressions", () => expect(rows.length).toBeGreaterThan(6_000));

  it("answer as upstream's do: value, type, error texts, cost and estimate", () => {
    const answered = rows.map(({ expression, answer: theirs }) => ({
      expression,
      theirs,
      ours: answer(expression, options),
    }));
    expect(answered.filter(({ theirs, ours }) => !isSameAnswer(theirs, ours))).toEqual([]);
  }, 120_000);
});
