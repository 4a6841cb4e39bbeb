import { describeWith } from "@coxswain/tools/needs";
import { expect, it } from "vitest";
import { differencesOf, report, testTime } from "./compare.js";
import { readExamples } from "./examples.js";
import { ourFacts } from "./our-answer.js";
import { questionsOf } from "./questions.js";
import { chooseAnswers, writeAnswers } from "./recorded-answers.js";
import { askUpstream, upstreamNeed } from "./upstream.js";

/**
 * Compares our kinds with upstream's own code, one in twenty of thousands of objects per kind; all of them where COXSWAIN_SLOW=1 is set,
 * kinds are chosen or answers are written. It needs the built program: `npm run tool -- programs`, then `npx vitest run packages/kinds/test/live.test.ts`.
 * COXSWAIN_KINDS: the resources to compare, separated by commas. COXSWAIN_RECORD: writes `answers/` as well.
 */
const chosen = process.env["COXSWAIN_KINDS"] ? process.env["COXSWAIN_KINDS"].split(",") : undefined;
const every = chosen || process.env["COXSWAIN_RECORD"] || process.env["COXSWAIN_SLOW"] ? 1 : 20;
const most = Number(process.env["COXSWAIN_MOST"] ?? 12);

describeWith("our kinds beside upstream's", upstreamNeed, () => {
  for (const examples of readExamples()) {
    const { kind } = examples;
    if (chosen && !chosen.includes(kind.resource)) continue;
    it(`${kind.resource} ${kind.group}: strategy`, () => {
      const { group, version, resource } = kind;
      const [answer] = askUpstream([{ op: "facts", group, version, resource, object: {} }], 0);
      expect(ourFacts(kind)).toEqual(ofVersion(kind, answer?.facts ?? {}));
    });
    it(`${kind.resource} ${kind.group}: answers`, { timeout: 600_000 }, () => {
      const questions = questionsOf(examples).filter((_, at) => at % every === 0);
      const answers = askUpstream(
        questions.map(({ question }) => question),
        testTime,
      );
      if (process.env["COXSWAIN_RECORD"]) writeAnswers(kind, chooseAnswers(questions, answers));
      const differences = questions.flatMap((question, at) => differencesOf(examples, question, answers[at] ?? {}));
      expect(report(questions.length, differences, most)).toBe("");
    });
  }
});

/** Upstream also names the fields that other versions reset. */
function ofVersion(
  { group, version }: { readonly group: string; readonly version: string },
  facts: Readonly<Record<string, unknown>>,
): unknown {
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const resets = Object.entries(facts["resetFields"] as Record<string, unknown>).filter(([key]) =>
    key.endsWith(`@${apiVersion}`),
  );
  return { ...facts, resetFields: Object.fromEntries(resets) };
}
