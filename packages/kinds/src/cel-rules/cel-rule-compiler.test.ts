import { readFileSync } from "node:fs";
import { getOwn } from "@coxswain/apimachinery/own";
import { readStructural, type Structural } from "@coxswain/apimachinery/structural-schema";
import { describe, expect, it } from "vitest";
import type { CompiledRule } from "../validation-rules/rule-compiler.js";
import { rulesOf } from "../validation-rules/rule-tree.js";
import { createCelRuleCompiler } from "./cel-rule-compiler.js";

// The result of upstream's library for each rule was recorded with the definitions, by tools/answers/custom-resources.
interface Case {
  name: string;
  object: { spec: { versions: { schema?: { openAPIV3Schema?: unknown } }[] } };
  answer: { rules?: Record<string, Recorded> };
}
interface Recorded {
  error?: string;
  usesOldSelf?: boolean;
  maxCost: number;
  maxCardinality: number;
  messageError?: string;
  messageCost?: number;
}
const file = new URL("../apiextensions/custom-resource-definition/testdata/definitions.json", import.meta.url);
const cases = JSON.parse(readFileSync(file, "utf8")) as Case[];
const compiler = createCelRuleCompiler();

/** Every rule of a schema and of those inside it, compiled. */
function compileAll(schema: Structural, isResource: boolean): Record<string, CompiledRule> {
  const rules = rulesOf(schema);
  const compiled = compiler.compile({ schema, rules, isResource, isStored: () => false }) ?? [];
  const inner = [...schema.properties.values(), schema.additionalProperties, schema.items].filter(
    (one) => typeof one === "object",
  );
  return Object.assign(
    Object.fromEntries(compiled.map((one, at) => [rules[at]?.rule, one])) as Record<string, CompiledRule>,
    ...inner.map((one) => compileAll(one, one.embeddedResource)),
  ) as Record<string, CompiledRule>;
}

const shown = ({ error, usesOldSelf, maxCost, maxCardinality, message }: CompiledRule): Recorded => ({
  ...(error && { error: error.detail.trim() }),
  ...(usesOldSelf && { usesOldSelf }),
  maxCost,
  maxCardinality,
  ...(message?.error !== undefined && { messageError: message.error }),
  ...(message?.maxCost && { messageCost: message.maxCost }),
});

describe("rules compile, and are estimated to cost, as upstream does", () => {
  for (const { name, object, answer } of cases) {
    const recorded = Object.entries(answer.rules ?? {}).filter(([text]) => text.trim() !== "");
    if (recorded.length === 0) continue;
    it(name, () => {
      const all = Object.assign(
        {},
        ...object.spec.versions.map(({ schema }) => compileAll(readStructural(schema?.openAPIV3Schema), true)),
      ) as Record<string, CompiledRule>;
      for (const [text, want] of recorded) expect(shown(getOwn(all, text)!)).toEqual(want);
    });
  }
});

describe("rules run on values of a schema", () => {
  const schema = readStructural({
    type: "object",
    properties: { n: { type: "integer" }, s: { type: "string" } },
  });
  const run = (rule: string, self: object, old?: object, optionalOldSelf = false): unknown => {
    const [compiled] =
      compiler.compile({ schema, rules: [{ rule, optionalOldSelf }], isResource: false, isStored: () => true }) ?? [];
    const outcome = compiled?.program?.evaluate(self, old);
    return outcome?.error ?? (outcome && "value" in outcome ? outcome.value : compiled?.error?.detail);
  };
  const cases = [
    { name: "one that holds", rule: "self.n > 1", self: { n: 2 }, want: true },
    { name: "one that does not", rule: "self.n > 1", self: { n: 1 }, want: false },
    { name: "one about a member that is missing", rule: "self.s == 'a'", self: { n: 1 }, want: "no such key: s" },
    { name: "one about a change", rule: "self.n > oldSelf.n", self: { n: 2 }, old: { n: 1 }, want: true },
  ];
  for (const { name, rule, self, old, want } of cases) it(name, () => expect(run(rule, self, old)).toBe(want));
  it("one about an old value of the wrong type that may be none", () =>
    expect(run("self.n > oldSelf.value().n", { n: 1 }, [], true)).toBe(
      "unsupported conversion to ref.Val: (*errors.errorString)invalid data, expected a map for the provided schema with type=object",
    ));
  it("one about a change that may be none", () => {
    const rule = "oldSelf.hasValue() ? self.n > oldSelf.value().n : self.n == 0";
    expect([run(rule, { n: 0 }, undefined, true), run(rule, { n: 0 }, { n: 5 }, true)]).toEqual([true, false]);
  });
});
