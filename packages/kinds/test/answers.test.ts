import { describe, expect, it } from "vitest";
import { differencesOf, report } from "./compare.js";
import { readExamples } from "./examples.js";
import { questionsOf } from "./questions.js";
import { readAnswers } from "./recorded-answers.js";

/** What upstream's own strategies, validation and printers of 1.36.4 answered, recorded by `live.test.ts`. Never edited by hand. */
describe("recorded answers", () => {
  for (const examples of readExamples()) {
    it(`${examples.kind.resource} ${examples.kind.group}`, () => {
      const questions = new Map(questionsOf(examples).map((question) => [question.name, question]));
      const rows = readAnswers(examples.kind);
      expect(rows.length).toBeGreaterThan(0);
      const differences = rows.flatMap(({ name, answer }) => {
        const question = questions.get(name);
        if (!question) return [{ what: "unknown", text: `${name}: nobody asks this any more; record again` }];
        const parts =
          question.question.op === "print"
            ? Object.keys(answer)
            : ["errors", "warnings", ...("prepared" in answer ? ["prepared"] : [])];
        return differencesOf(examples, question, answer, new Set(parts));
      });
      expect(report(rows.length, differences, 12)).toBe("");
    });
  }
});
