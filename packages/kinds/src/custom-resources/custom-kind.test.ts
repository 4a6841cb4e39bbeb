import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { CustomResourceDefinitionVersion } from "@coxswain/api/apiextensions/v1";
import { fieldErrorText } from "@coxswain/apimachinery/field";
import { cloneJson, deepFreeze } from "@coxswain/apimachinery/json";
import { compareUtf8 } from "@coxswain/apimachinery/validation";
import { describe, expect, it } from "vitest";
import { createCelRuleCompiler } from "../cel-rules/index.js";
import { fieldErrorsAtOnce } from "../definition/field-errors.js";
import type { StrategyContext } from "../definition/strategy.js";
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

const ruleCompiler = createCelRuleCompiler();

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
    const { strategy, views, selectableFields } = customKind(definition(version, scope), version, {
      sha256,
      ruleCompiler,
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
        expect(texts(fieldErrorsAtOnce(way?.validateUpdate?.(prepared, stored, context)))).toEqual(answer.errors);
        warnings.unshift(...(way?.warningsOnUpdate?.(prepared, stored) ?? []));
      } else {
        strategy.prepareForCreate?.(prepared, context);
        expect(prepared).toEqual(answer.prepared);
        expect(texts(fieldErrorsAtOnce(strategy.validateCreate?.(prepared, context)))).toEqual(answer.errors);
        warnings.unshift(...(strategy.warningsOnCreate?.(prepared) ?? []));
      }
      expect(warnings).toEqual(answer.warnings ?? []);
      const { "metadata.name": _name, "metadata.namespace": _namespace, ...fields } = answer.fields;
      expect(selectableFields?.values(prepared) ?? {}).toEqual(fields);
    });
  }
});
