import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fieldErrorText } from "../field/index.js";
import { deepFreeze } from "../json/index.js";
import type { JsonObject } from "../patch/json-value.js";
import { createTypeRegistry } from "../schema/index.js";
import {
  applyDefaults,
  coerceEmbedded,
  dropNulls,
  pruneDefaults,
  pruneUnknown,
  readStructural,
  validateEmbedded,
  validateListTypes,
} from "./index.js";

// The answers in testdata/custom-resources.json were recorded from k8s.io/apiextensions-apiserver v0.36.4 by
// tools/answers/structural-schema.
interface Case {
  name: string;
  schema: JsonObject;
  object: JsonObject;
  answer: {
    pruned: JsonObject;
    unknown?: string[];
    withoutNull: JsonObject;
    defaulted: JsonObject;
    prunedDefaults: JsonObject;
    listErrors?: string[];
    coerced?: JsonObject;
    coerceUnknown?: string[];
    coerceError?: string;
    dropped?: JsonObject;
    embeddedErrors?: string[];
  };
}
const cases = JSON.parse(readFileSync(new URL("testdata/custom-resources.json", import.meta.url), "utf8")) as Case[];

const objectMeta = createTypeRegistry([
  `@io.k8s.apimachinery.pkg.apis.meta.v1
=ObjectMeta
name s 1 o
generateName s 2 o
namespace s 3 o
selfLink s 4 o
uid s 5 o
resourceVersion s 6 o
generation l 7 o
creationTimestamp T 8 oz
deletionTimestamp *T 9 o
labels {}s 11 o
annotations {}s 12 o
ownerReferences []OwnerReference 13 o
finalizers []s 14 o
=OwnerReference
apiVersion s 5 r
kind s 1 r
name s 3 r
uid s 4 r
`.replace(" oz", " o z"),
]).get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");

describe("custom resources are treated as upstream treats them", () => {
  for (const c of cases) {
    const { object, answer } = deepFreeze(c);
    const schema = readStructural(c.schema);
    it(`${c.name}: pruned`, () =>
      expect(pruneUnknown(object, schema)).toEqual({ object: answer.pruned, unknown: answer.unknown ?? [] }));
    it(`${c.name}: nulls dropped`, () => expect(dropNulls(object, schema)).toEqual(answer.withoutNull));
    it(`${c.name}: defaulted`, () => expect(applyDefaults(object, schema)).toEqual(answer.defaulted));
    it(`${c.name}: defaulted with pruned defaults`, () =>
      expect(applyDefaults(object, pruneDefaults(schema, { objectMeta }))).toEqual(answer.prunedDefaults));
    it(`${c.name}: list types`, () =>
      expect(validateListTypes(object, schema).map(fieldErrorText).sort()).toEqual(answer.listErrors ?? []));
    it(`${c.name}: embedded metadata`, () => {
      const { error, object: coerced, unknown } = coerceEmbedded(object, schema, { objectMeta });
      if (answer.coerceError !== undefined) expect(error && fieldErrorText(error)).toBe(answer.coerceError);
      else
        expect({ error, coerced, unknown }).toEqual({
          error: undefined,
          coerced: answer.coerced,
          unknown: answer.coerceUnknown ?? [],
        });
    });
    it(`${c.name}: embedded metadata, what is wrong dropped`, () =>
      expect(coerceEmbedded(object, schema, { objectMeta, dropInvalid: true }).object).toEqual(answer.dropped));
    it(`${c.name}: embedded metadata validated`, () =>
      expect(validateEmbedded(object, schema, { objectMeta }).map(fieldErrorText).sort()).toEqual(
        answer.embeddedErrors ?? [],
      ));
  }
});

describe("what needs no change is shared", () => {
  const schema = readStructural({
    type: "object",
    properties: { spec: { type: "object", properties: { a: { type: "string", default: "x" } } } },
  });
  const object = deepFreeze({ apiVersion: "e.com/v1", kind: "X", metadata: {}, spec: { a: "1" } });
  it("by pruning", () => expect(pruneUnknown(object, schema).object).toBe(object));
  it("by defaults", () => expect(applyDefaults(object, schema)).toBe(object));
  it("by dropping nulls", () => expect(dropNulls(object, schema)).toBe(object));
});
