import type { Feature } from "./feature.js";

const members = {
  type: "object",
  properties: { a: { type: "string" }, b: { type: "integer" }, c: { type: "boolean" } },
} as const;

/** allOf, anyOf, oneOf and not, alone and one inside the other. */
export const combinedFeatures: readonly Feature[] = [
  {
    name: "oneOfRequired",
    schema: { ...members, oneOf: [{ required: ["a"] }, { required: ["b"] }] },
    valid: [{ a: "x" }, { b: 1 }],
    odd: [{}, { a: "x", b: 1 }, { c: true }, { a: null, b: 1 }],
  },
  {
    name: "anyOfRequired",
    schema: { ...members, anyOf: [{ required: ["a"] }, { required: ["b", "c"] }] },
    valid: [{ a: "x" }, { b: 1, c: true }],
    odd: [{}, { b: 1 }, { c: true }],
  },
  {
    name: "allOfLimits",
    schema: { type: "integer", allOf: [{ minimum: 2 }, { maximum: 8 }, { multipleOf: 2 }] },
    valid: [2, 8],
    odd: [1, 9, 3, 10],
  },
  { name: "notText", schema: { type: "string", not: { pattern: "^bad" } }, valid: ["good"], odd: ["bad", "badly", ""] },
  { name: "notEnum", schema: { type: "string", not: { enum: ["x", "y"] } }, valid: ["z"], odd: ["x", "y"] },
  {
    name: "anyOfText",
    schema: { type: "string", anyOf: [{ format: "ipv4" }, { format: "ipv6" }, { maxLength: 2 }] },
    valid: ["10.0.0.1", "::1", "ab"],
    odd: ["abc", "10.0.0.300"],
  },
  {
    name: "oneOfMembers",
    schema: {
      ...members,
      oneOf: [
        { properties: { a: { enum: ["x"] }, b: { minimum: 5 } }, required: ["a"] },
        { properties: { a: { enum: ["y"] } }, required: ["a", "c"] },
      ],
    },
    valid: [{ a: "x" }, { a: "y", c: true }],
    odd: [{ a: "z" }, { a: "x", b: 1 }, { a: "y" }, { b: 9 }],
  },
  {
    name: "nested",
    schema: {
      ...members,
      allOf: [
        { anyOf: [{ required: ["a"] }, { not: { required: ["b"] } }] },
        { oneOf: [{ required: ["c"] }, { maxProperties: 1 }] },
      ],
    },
    valid: [{ a: "x" }, { a: "x", c: true }],
    odd: [{ b: 1 }, { b: 1, c: true }, { a: "x", b: 1 }, { c: true }],
  },
  {
    name: "combinedItems",
    schema: {
      type: "array",
      items: { type: "string" },
      anyOf: [{ maxItems: 1 }, { items: { maxLength: 1 } }],
    },
    valid: [["abc"], ["a", "b"]],
    odd: [["abc", "d"]],
  },
  {
    name: "combinedValues",
    schema: { type: "object", additionalProperties: { type: "integer", oneOf: [{ minimum: 5 }, { maximum: 0 }] } },
    valid: [{ a: 5, b: 0 }],
    odd: [{ a: 3 }, { a: 3, b: 4 }],
  },
];
