import { expect, it } from "vitest";
import { makeInvalid, makeObject, type Schema } from "./make-object.js";

const spec: Schema = {
  type: "object",
  required: ["size", "host", "ports", "mode"],
  properties: {
    size: { type: "integer", minimum: 3 },
    host: { type: "string", pattern: "^[a-z]+\\.example\\.org$" },
    ports: { type: "array", minItems: 1, items: { "x-kubernetes-int-or-string": true } },
    mode: { type: "string", enum: ["Fast", "Slow"] },
    notes: { type: "string" },
  },
};

it("an object has what its schema requires, and no more", () =>
  expect(makeObject({ type: "object", required: ["spec"], properties: { spec } })).toEqual({
    spec: { size: 3, host: "a.example.org", ports: [1], mode: "Fast" },
  }));

it("one alternative of several is enough", () =>
  expect(
    makeObject({
      type: "object",
      properties: { a: { type: "boolean" } },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    }),
  ).toEqual({ a: true }));

it("an invalid object has a member of another type", () =>
  expect(makeInvalid({ metadata: { name: "x" }, spec: { size: 3 } }, { type: "object", properties: { spec } })).toEqual(
    {
      metadata: { name: "x" },
      spec: { size: "text" },
    },
  ));

it("where the schema takes anything, a label is none", () =>
  expect(makeInvalid({ metadata: { name: "x" } }, { type: "object" })).toEqual({
    metadata: { name: "x", labels: { console: "not a label" } },
  }));
