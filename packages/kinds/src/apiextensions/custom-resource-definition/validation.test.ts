import { readFileSync } from "node:fs";
import { fieldErrorText } from "@coxswain/apimachinery/field";
import { cloneJson, decodeJson, deepFreeze } from "@coxswain/apimachinery/json";
import { compareUtf8 } from "@coxswain/apimachinery/validation";
import { describe, expect, it } from "vitest";
import type { StrategyContext } from "../../strategy.js";
import { type KnownRule, knownRules } from "../../validation-rules/known-rules.test.support.js";
import { customResourceDefinitionKind } from "./kind.js";
import type { StoredCustomResourceDefinition } from "./stored.js";

// The answers in testdata/definitions.json were recorded from k8s.io/apiextensions-apiserver v0.36.4 by
// tools/answers/custom-resources. What compiling says of each rule is recorded too, so that no CEL is needed here.
interface Case {
  name: string;
  object: object;
  old?: object;
  answer: { errors: string[]; warnings?: string[]; rules?: Record<string, KnownRule> };
}
const cases = JSON.parse(readFileSync(new URL("testdata/definitions.json", import.meta.url), "utf8")) as Case[];

/** What the rules do that defaults are checked by. */
const programs: Record<string, KnownRule["holds"]> = {
  "self > 1 && self < 9": (self: number) => self > 1 && self < 9,
  "self > 23": (self: number) => self > 23,
  "self > 24": (self: number) => self > 24,
};

const { schema, setDefaults, strategy } = customResourceDefinitionKind;

function decode(object: object): StoredCustomResourceDefinition {
  const text = new TextEncoder().encode(JSON.stringify(object));
  const definition = decodeJson(text, schema).object as StoredCustomResourceDefinition;
  definition.status ??= {};
  setDefaults?.(definition);
  return definition;
}

describe("definitions are accepted and refused as upstream does", () => {
  for (const { name, object, old, answer } of cases) {
    const rules = Object.fromEntries(
      Object.entries(answer.rules ?? {}).map(([text, rule]) => [
        text,
        { ...rule, ...(programs[text] && { holds: programs[text] }) },
      ]),
    );
    const context: StrategyContext = { now: 0, gates: { enabled: () => true }, ruleCompiler: knownRules(rules) };
    it(name, () => {
      const definition = decode(object);
      const texts = (errors: Parameters<typeof fieldErrorText>[0][] = []): string[] =>
        errors.map(fieldErrorText).sort(compareUtf8);
      if (old) {
        const stored = deepFreeze(decode(old));
        strategy.prepareForUpdate?.(definition, cloneJson(stored), context);
        expect(texts(strategy.validateUpdate?.(definition, stored, context))).toEqual(answer.errors);
        expect(strategy.warningsOnUpdate?.(definition, stored) ?? []).toEqual(answer.warnings ?? []);
      } else {
        strategy.prepareForCreate?.(definition, context);
        expect(texts(strategy.validateCreate?.(definition, context))).toEqual(answer.errors);
        expect(strategy.warningsOnCreate?.(definition) ?? []).toEqual(answer.warnings ?? []);
      }
    });
  }
});
