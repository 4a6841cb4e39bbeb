import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { differencesOf } from "./compare.js";
import type { Examples } from "./examples.js";
import { questionsOf } from "./questions.js";
import { askUpstream } from "./upstream.js";
import { podKind } from "../src/core/pod/kind.js";
it("fuzz", { timeout: 600_000 }, () => {
  const objects = JSON.parse(readFileSync("/tmp/fuzz/pods.json", "utf8"));
  const only = process.env.ONLY?.split(",").map(Number);
  let total = 0;
  const out: string[] = [];
  for (const [i, object] of objects.entries()) {
    if (only && !only.includes(i)) continue;
    const examples: Examples = { kind: podKind as never, objects: [object], skip: ["metadata"], printed: [], updates: [], otherErrors: [] };
    const clean = (a: any) => ({ ...a, errors: a?.errors?.filter((e: string) => !/disallowed by cluster policy/.test(e)) });
    const questions = questionsOf(examples).filter(({ question, mutation }) => question.op !== "print" && !/\[\]|\{\}/.test(JSON.stringify(mutation?.value ?? 0)));
    const answers = askUpstream(questions.map(({ question }) => question), Date.now());
    total += questions.length;
    const failures = answers.filter((a) => a.failure).length;
    out.push(`== ${i}: ${questions.length} questions, ${failures} failures`);
    questions.forEach((q, at) => {
      for (const d of differencesOf(examples, q, clean(answers[at] ?? {}), Date.now())) out.push(`${i} [${d.what}] ${d.text}`);
    });
  }
  writeFileSync("/tmp/fuzz/out.txt", out.join("\n"));
  console.log(total, out.length);
  expect(1).toBe(1);
});
