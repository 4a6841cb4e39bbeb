import { readFileSync } from "node:fs";
import { fieldErrorText } from "@coxswain/apimachinery/field";
import { cloneJson, decodeJson, deepFreeze } from "@coxswain/apimachinery/json";
import { compareUtf8 } from "@coxswain/apimachinery/validation";
import { describe, expect, it } from "vitest";
import { createCelRuleCompiler } from "../../cel-rules/index.js";
import { fieldErrorsAtOnce } from "../../definition/field-errors.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { customResourceDefinitionKind } from "./kind.js";
import type { StoredCustomResourceDefinition } from "./stored.js";

// The answers in testdata/definitions.json were recorded from k8s.io/apiextensions-apiserver v0.36.4 by
// tools/answers/custom-resources.
interface Case {
  name: string;
  object: object;
  old?: object;
  answer: { errors: string[]; warnings?: string[] };
}
const cases = JSON.parse(readFileSync(new URL("testdata/definitions.json", import.meta.url), "utf8")) as Case[];

const { schema, setDefaults, strategy } = customResourceDefinitionKind;
const context: StrategyContext = {
  now: 0,
  gates: { enabled: () => true },
  ruleCompiler: createCelRuleCompiler(),
};

function decode(object: object): StoredCustomResourceDefinition {
  const text = new TextEncoder().encode(JSON.stringify(object));
  const definition = decodeJson(text, schema).object as StoredCustomResourceDefinition;
  definition.status ??= {};
  setDefaults?.(definition);
  return definition;
}

describe("definitions are accepted and refused as upstream does", () => {
  for (const { name, object, old, answer } of cases) {
    it(name, () => {
      const definition = decode(object);
      const texts = (errors: Parameters<typeof fieldErrorText>[0][] = []): string[] =>
        errors.map(fieldErrorText).sort(compareUtf8);
      if (old) {
        const stored = deepFreeze(decode(old));
        strategy.prepareForUpdate?.(definition, cloneJson(stored), context);
        expect(texts(fieldErrorsAtOnce(strategy.validateUpdate?.(definition, stored, context)))).toEqual(answer.errors);
        expect(strategy.warningsOnUpdate?.(definition, stored) ?? []).toEqual(answer.warnings ?? []);
      } else {
        strategy.prepareForCreate?.(definition, context);
        expect(texts(fieldErrorsAtOnce(strategy.validateCreate?.(definition, context)))).toEqual(answer.errors);
        expect(strategy.warningsOnCreate?.(definition) ?? []).toEqual(answer.warnings ?? []);
      }
    });
  }
});
