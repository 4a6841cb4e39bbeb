import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { type JSONSchemaProps, publishSchema, publishSchemaV2 } from "./custom-schema.js";

const embedded = { kind: { type: "string" } };
const integerOrString = [{ type: "integer" }, { type: "string" }];
const list = { type: "array", items: { type: "string" } };

// `v2` is what readers of OpenAPI 2 can bear; see upstream's ToStructuralOpenAPIV2.
const cases: { name: string; schema: JSONSchemaProps; v3: unknown; v2: unknown }[] = [
  {
    name: "a default",
    schema: { type: "string", default: "a" },
    v3: { type: "string", default: "a" },
    v2: { type: "string" },
  },
  { name: "null allowed", schema: { ...list, nullable: true }, v3: { ...list, nullable: true }, v2: {} },
  {
    name: "a required member that may be null",
    schema: {
      type: "object",
      required: ["a", "b"],
      properties: { a: { type: "string", nullable: true }, b: { type: "string" } },
    },
    v3: {
      type: "object",
      required: ["a", "b"],
      properties: { a: { type: "string", nullable: true }, b: { type: "string" } },
    },
    v2: { type: "object", required: ["b"], properties: { a: {}, b: { type: "string" } } },
  },
  {
    name: "unknown members kept",
    schema: { type: "object", properties: { a: { type: "string" } }, "x-kubernetes-preserve-unknown-fields": true },
    v3: { type: "object", properties: { a: { type: "string" } }, "x-kubernetes-preserve-unknown-fields": true },
    v2: { "x-kubernetes-preserve-unknown-fields": true },
  },
  {
    name: "integer or string",
    schema: { "x-kubernetes-int-or-string": true },
    v3: { anyOf: integerOrString, "x-kubernetes-int-or-string": true },
    v2: { "x-kubernetes-int-or-string": true },
  },
  {
    name: "integer or string, with another choice",
    schema: { "x-kubernetes-int-or-string": true, anyOf: [{ minimum: 1 }] },
    v3: { allOf: [{ anyOf: integerOrString }], anyOf: [{ minimum: 1 }], "x-kubernetes-int-or-string": true },
    v2: { "x-kubernetes-int-or-string": true },
  },
  {
    name: "an embedded object",
    schema: {
      type: "object",
      required: ["spec"],
      "x-kubernetes-embedded-resource": true,
      properties: { spec: { type: "object" } },
    },
    v3: {
      type: "object",
      required: ["spec", "kind", "apiVersion"],
      properties: { spec: { type: "object" }, kind: { type: "string" } },
      "x-kubernetes-embedded-resource": true,
    },
    v2: {
      type: "object",
      required: ["spec", "kind", "apiVersion"],
      properties: { spec: { type: "object" }, kind: { type: "string" } },
      "x-kubernetes-embedded-resource": true,
    },
  },
  {
    name: "a member called __proto__",
    schema: {
      type: "object",
      properties: JSON.parse('{"__proto__":{"type":"string"}}') as Record<string, JSONSchemaProps>,
    },
    v3: { type: "object", properties: JSON.parse('{"__proto__":{"type":"string"}}') as unknown },
    v2: { type: "object", properties: JSON.parse('{"__proto__":{"type":"string"}}') as unknown },
  },
  {
    name: "any member",
    schema: { type: "object", additionalProperties: true },
    v3: { type: "object", additionalProperties: true },
    v2: { type: "object", additionalProperties: true },
  },
  {
    name: "integers that no double has (Traefik's priority), as doubles",
    schema: { type: "integer", maximum: 9223372036854775000n, enum: [1, 9007199254740993n] },
    v3: { type: "integer", maximum: 9223372036854775000, enum: [1, 9007199254740992] },
    v2: { type: "integer", maximum: 9223372036854775000, enum: [1, 9007199254740992] },
  },
];

describe("what is published of a custom resource's schema", () => {
  for (const c of cases) {
    it(`OpenAPI 3: ${c.name}`, () => assert.deepEqual(publishSchema(c.schema, embedded), c.v3));
    it(`OpenAPI 2: ${c.name}`, () => assert.deepEqual(publishSchemaV2(c.schema, embedded), c.v2));
  }
});
