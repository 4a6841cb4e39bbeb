import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type FieldError, fieldErrorText, fieldPath } from "../field/index.js";
import type { ObjectMeta } from "../meta/object-meta.js";
import * as validation from "./index.js";

// Made by upstream's own library: `go run . <table>` in tools/answers/vocabulary.
const table = <T>(name: string): T[] =>
  JSON.parse(readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), "utf8")) as T[];
const texts = (errors: readonly FieldError[]): string[] =>
  errors.map((error) => fieldErrorText(error) + (error.origin === undefined ? "" : ` @${error.origin}`));

describe("object metadata", () => {
  const path = fieldPath("metadata");
  const long: ObjectMeta = { name: "a", namespace: "n", annotations: { a: "x".repeat(256 * 1024) } };
  for (const { meta, namespaced, errors } of table<{
    meta: ObjectMeta | string;
    namespaced: boolean;
    errors: string[];
  }>("object-meta")) {
    it(`${namespaced ? "namespaced" : "of the cluster"}: ${JSON.stringify(meta).slice(0, 100)}`, () => {
      const given = typeof meta === "string" ? long : meta;
      expect(
        texts(validation.validateObjectMeta(given, { namespaced, checkName: validation.nameIsDnsLabel, path })),
      ).toEqual(errors);
    });
  }
  for (const { next, old, errors } of table<{ next: ObjectMeta; old: ObjectMeta; errors: string[] }>(
    "object-meta-updates",
  )) {
    it(`update to ${JSON.stringify(next).slice(0, 100)}`, () =>
      expect(texts(validation.validateObjectMetaUpdate(next, old, path))).toEqual(errors));
  }
  it("a label named __proto__ is checked like any other", () => {
    const labels = JSON.parse('{"__proto__":"not good"}') as Record<string, string>;
    expect(validation.validateLabels(labels, path)).toHaveLength(2);
  });
});

describe("options of requests", () => {
  const calls: Record<string, (options: never) => FieldError[]> = {
    write: validation.validateWriteOptions,
    patch: (options) => validation.validatePatchOptions(options, { apply: false }),
    apply: (options) => validation.validatePatchOptions(options, { apply: true }),
    delete: validation.validateDeleteOptions,
    list: validation.validateListOptions,
  };
  for (const { call, options, errors } of table<{ call: string; options: never; errors: string[] }>(
    "request-options",
  )) {
    it(`${call} ${JSON.stringify(options).slice(0, 100)}`, () =>
      expect(texts(calls[call]?.(options) ?? [])).toEqual(errors));
  }
});

describe("conditions", () => {
  for (const { conditions, errors } of table<{ conditions: validation.Condition[]; errors: string[] }>("conditions")) {
    it(JSON.stringify(conditions).slice(0, 100), () => {
      const given = conditions.map((condition) => ({
        ...condition,
        type: condition.type ?? "",
        status: condition.status ?? "",
      }));
      expect(texts(validation.validateConditions(given, fieldPath("f")))).toEqual(errors);
    });
  }
});

describe("long messages of conditions", () => {
  it("end at 32 KiB", () => {
    const condition = {
      type: "Ready",
      status: "True",
      lastTransitionTime: "2024-01-02T03:04:05Z",
      reason: "Good",
      message: "m".repeat(32 * 1024 + 1),
    };
    expect(texts(validation.validateCondition(condition, fieldPath("f")))).toEqual([
      "f.message: Too long: may not be more than 32768 bytes",
    ]);
  });
});

describe("selectors in fields", () => {
  type Selector = Parameters<typeof validation.validateLabelSelector>[0];
  for (const { selector, strict, lenient } of table<{ selector: Selector; strict: string[]; lenient: string[] }>(
    "selector-fields",
  )) {
    it(JSON.stringify(selector), () => {
      expect(texts(validation.validateLabelSelector(selector, fieldPath("f")))).toEqual(strict);
      const rules = { allowInvalidValues: true, allowUnknownOperators: true };
      expect(texts(validation.validateLabelSelector(selector, fieldPath("f"), rules))).toEqual(lenient);
    });
  }
});
