import { type Feature, rawNumber } from "./feature.js";

const text = { type: "string", maxLength: 20 } as const;

/** Objects and maps: limits, required and unknown members, defaults, embedded objects. */
export const objectFeatures: readonly Feature[] = [
  {
    name: "record",
    schema: {
      type: "object",
      required: ["id", "owner"],
      properties: {
        id: { type: "integer" },
        owner: text,
        more: { type: "object", required: ["x"], properties: { x: text } },
      },
    },
    valid: [
      { id: 1, owner: "a" },
      { id: 2, owner: "b", more: { x: "y" } },
    ],
    odd: [
      {},
      { id: 1 },
      { id: null, owner: "a" },
      { id: 1, owner: "a", more: {} },
      { id: 1, owner: "a", extra: { y: 1 } },
      { ID: 1, owner: "a" },
    ],
  },
  {
    name: "atomicRecord",
    schema: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: text, b: text } },
    valid: [{ a: "1" }, { a: "2", b: "3" }],
    odd: [{ c: 1 }, { a: 1 }],
  },
  {
    name: "limitedMap",
    schema: { type: "object", additionalProperties: text, minProperties: 1, maxProperties: 2 },
    valid: [{ a: "1" }, { b: "2", c: "3" }],
    odd: [{}, { a: "1", b: "2", c: "3" }, { a: 1 }, { a: null }, { "": "x" }, { "a.b/c": "x" }],
  },
  {
    name: "granularMap",
    schema: {
      type: "object",
      "x-kubernetes-map-type": "granular",
      additionalProperties: { type: "integer", maximum: 9 },
    },
    valid: [{ a: 1, b: 2 }, {}],
    odd: [{ a: 10 }, { a: rawNumber("1.0") }],
  },
  {
    name: "atomicMap",
    schema: {
      type: "object",
      "x-kubernetes-map-type": "atomic",
      additionalProperties: { type: "object", properties: { v: text } },
    },
    valid: [{ a: { v: "1" } }, {}],
    odd: [{ a: { w: 1 } }, { a: [] }, { a: null }],
  },
  {
    name: "mapOfLists",
    schema: { type: "object", additionalProperties: { type: "array", items: text, maxItems: 2 } },
    valid: [{ a: ["1"], "key with space": [] }],
    odd: [{ a: ["1", "2", "3"] }, { a: "1" }, { a: [1] }],
  },
  {
    name: "mapWithDefaults",
    schema: {
      type: "object",
      additionalProperties: { type: "object", properties: { size: { type: "integer", default: 1 }, name: text } },
    },
    valid: [{ a: {}, b: { size: 2 } }],
    odd: [{ a: { size: null } }, { a: null }, { a: { unknown: 1 } }],
  },
  {
    name: "anything",
    schema: { "x-kubernetes-preserve-unknown-fields": true },
    valid: [{ a: [1, { b: null }] }, "text", 5, [1, "2"]],
    odd: [null, rawNumber("1.0"), { metadata: { name: 5 } }, rawNumber("1e3")],
  },
  {
    name: "open",
    schema: {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { known: text, closed: { type: "object", properties: { a: text } } },
    },
    valid: [{ known: "a", other: { b: 1 } }, {}],
    odd: [{ known: 1 }, { closed: { a: "x", b: "y" } }, { other: null, closed: { c: { d: 1 } } }],
  },
  {
    name: "embedded",
    schema: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    valid: [
      { apiVersion: "v1", kind: "Pod", metadata: { name: "a", labels: { b: "c" } }, spec: { x: 1 } },
      { apiVersion: "example.com/v1", kind: "Thing" },
    ],
    odd: [
      {},
      { apiVersion: "v1" },
      { apiVersion: "a/b/c", kind: "Pod" },
      { apiVersion: "v1", kind: "Pod", metadata: { name: "Not Valid" } },
      { apiVersion: "v1", kind: "Pod", metadata: { bogus: 1, labels: { a: 5 } } },
      { apiVersion: "v1", kind: "not a kind!" },
      { apiVersion: "v1", kind: "Pod", metadata: { labels: { "bad key!": "x" } } },
    ],
  },
  {
    name: "embeddedClosed",
    schema: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      properties: {
        apiVersion: { type: "string", enum: ["v1"] },
        kind: { type: "string" },
        metadata: { type: "object" },
        data: { type: "object", additionalProperties: text },
      },
    },
    valid: [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: "v" } }],
    odd: [
      { apiVersion: "v2", kind: "ConfigMap" },
      { apiVersion: "v1", kind: "ConfigMap", spec: 1 },
      { apiVersion: "v1", kind: "ConfigMap", metadata: { finalizers: "x" } },
      { kind: "ConfigMap", metadata: null },
    ],
  },
  {
    name: "deep",
    schema: {
      type: "object",
      default: {},
      properties: {
        level: {
          type: "object",
          default: { inner: { text: "from the outside" } },
          properties: {
            inner: {
              type: "object",
              properties: {
                text: { type: "string", default: "from the inside" },
                size: { type: "integer", default: 7 },
              },
            },
          },
        },
      },
    },
    valid: [{}, { level: {} }, { level: { inner: {} } }, { level: { inner: { text: "own" } } }],
    odd: [
      null,
      { level: null },
      { level: { inner: null } },
      { level: { inner: { size: null } } },
      { level: { other: 1 } },
    ],
  },
  { name: "defaultText", schema: { type: "string", default: "given" }, valid: ["own", "given"], odd: [null, "", 5] },
  { name: "defaultNumber", schema: { type: "integer", default: 42 }, valid: [1], odd: [null, rawNumber("42.0")] },
  { name: "defaultFraction", schema: { type: "number", default: 1.5 }, valid: [2.5], odd: [null] },
  { name: "defaultSwitch", schema: { type: "boolean", default: true }, valid: [false], odd: [null] },
  { name: "defaultNull", schema: { type: "string", nullable: true, default: null }, valid: ["a"], odd: [null] },
  { name: "nullableDefault", schema: { type: "string", nullable: true, default: "x" }, valid: ["a"], odd: [null] },
  {
    name: "nullableRecord",
    schema: {
      type: "object",
      nullable: true,
      properties: { a: { type: "string", nullable: true }, b: { type: "string" } },
    },
    valid: [{ a: null }, null, { b: "x" }],
    odd: [{ b: null }, { a: null, b: null }],
  },
  {
    name: "nullableItems",
    schema: { type: "array", items: { type: "string", nullable: true } },
    valid: [["a", null]],
    odd: [[null, null], [1]],
  },
  {
    name: "nullableValues",
    schema: { type: "object", additionalProperties: { type: "integer", nullable: true } },
    valid: [{ a: null, b: 1 }],
    odd: [{ a: "x" }],
  },
];
