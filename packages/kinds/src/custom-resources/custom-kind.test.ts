import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { CustomResourceDefinitionVersion } from "@coxswain/api/apiextensions/v1";
import { fieldErrorText } from "@coxswain/apimachinery/field";
import { cloneJson, deepFreeze } from "@coxswain/apimachinery/json";
import { compareUtf8 } from "@coxswain/apimachinery/validation";
import { describe, expect, it } from "vitest";
import type { StrategyContext } from "../strategy.js";
import { type KnownRule, knownRules } from "../validation-rules/known-rules.test.support.js";
import { customKind } from "./custom-kind.js";
import type { CustomObject } from "./custom-object.js";
import type { Definition } from "./version-spec.js";

// The answers in testdata/objects.json were recorded from k8s.io/apiextensions-apiserver v0.36.4 by
// tools/answers/custom-resources.
interface Case {
  name: string;
  version: CustomResourceDefinitionVersion;
  scope?: string;
  object: CustomObject;
  old?: CustomObject;
  view?: "status";
  answer: { errors: string[]; warnings?: string[]; prepared: object; fields: Record<string, string> };
}
const cases = JSON.parse(readFileSync(new URL("testdata/objects.json", import.meta.url), "utf8")) as Case[];

interface Spec {
  n: number;
  s?: string;
}
function text({ s }: Spec): string {
  if (s === undefined) throw new Error("no such key: s");
  return s;
}

/** The rules of the cases, for lack of CEL. */
const ruleCompiler = knownRules({
  "self.n > 1": { holds: ({ n }: Spec) => n > 1 },
  "self.n > 2": { holds: ({ n }: Spec) => n > 2 },
  "self.n > 3": { holds: ({ n }: Spec) => n > 3 },
  "self.n > 4": { holds: ({ n }: Spec) => n > 4 },
  "self > 5": { holds: (self: number) => self > 5 },
  "self < 5": { holds: (self: number) => self < 5 },
  "self != 'q'": { holds: (self: string) => self !== "q" },
  "self.s == 'x'": { holds: (self: Spec) => text(self) === "x" },
  "self.v > 5": { holds: ({ v }: { v: number }) => v > 5 },
  "self.spec.n > 5": { holds: ({ spec }: { spec: Spec }) => spec.n > 5 },
  "self.n >= oldSelf.n": { usesOldSelf: true, holds: (self: Spec, old: Spec) => self.n >= old.n },
  "self.n > oldSelf.n": { usesOldSelf: true, holds: (self: Spec, old: Spec) => self.n > old.n },
  "oldSelf.hasValue() && self.n > 0": {
    usesOldSelf: true,
    holds: (self: Spec, old: Spec | undefined) => old !== undefined && self.n > 0,
  },
} satisfies Record<string, KnownRule>);

const messages: Record<string, (self: Spec) => unknown> = {
  "'n is ' + string(self.n)": ({ n }) => `n is ${n}`,
  "self.s": text,
};

const definition = (version: CustomResourceDefinitionVersion, scope = "Namespaced"): Definition => {
  const names = { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: { group: "example.com", scope, names, versions: [version] },
    status: { acceptedNames: names },
  };
};

const sha256 = (given: string): Uint8Array => createHash("sha256").update(given).digest();

describe("custom resources are prepared and validated as upstream does", () => {
  for (const { name, version, scope, object, old, view, answer } of cases) {
    const said = version.schema?.openAPIV3Schema?.properties?.["spec"]?.["x-kubernetes-validations"] ?? [];
    const byMessage = knownRulesWithMessages(said.map(({ messageExpression = "" }) => messageExpression));
    const { strategy, views, selectableFields } = customKind(definition(version, scope), version, {
      sha256,
      ruleCompiler: byMessage,
    });
    it(name, () => {
      const warnings: string[] = [];
      const context: StrategyContext = {
        now: 0,
        gates: { enabled: () => true },
        warn: (warning) => warnings.push(warning),
      };
      const prepared = cloneJson(object);
      const texts = (errors: Parameters<typeof fieldErrorText>[0][] = []): string[] =>
        errors.map(fieldErrorText).sort(compareUtf8);
      if (old) {
        const stored = deepFreeze(old);
        const way = view ? views[view] : strategy;
        way?.prepareForUpdate?.(prepared, stored, context);
        expect(prepared).toEqual(answer.prepared);
        expect(texts(way?.validateUpdate?.(prepared, stored, context))).toEqual(answer.errors);
        warnings.unshift(...(way?.warningsOnUpdate?.(prepared, stored) ?? []));
      } else {
        strategy.prepareForCreate?.(prepared, context);
        expect(prepared).toEqual(answer.prepared);
        expect(texts(strategy.validateCreate?.(prepared, context))).toEqual(answer.errors);
        warnings.unshift(...(strategy.warningsOnCreate?.(prepared) ?? []));
      }
      expect(warnings).toEqual(answer.warnings ?? []);
      const { "metadata.name": _name, "metadata.namespace": _namespace, ...fields } = answer.fields;
      expect(selectableFields?.values(prepared) ?? {}).toEqual(fields);
    });
  }
});

/** A case has one message expression at most: every rule of it makes that one's message. */
function knownRulesWithMessages(expressions: readonly string[]): typeof ruleCompiler {
  const make = messages[expressions.find((one) => one !== "") ?? ""];
  if (!make) return ruleCompiler;
  return knownRules({ "self.n > 1": { holds: ({ n }: Spec) => n > 1, message: make } });
}
