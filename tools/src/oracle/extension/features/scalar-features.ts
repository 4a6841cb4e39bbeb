import { type Feature, rawNumber } from "./feature.js";

const long = "a".repeat(300);

/** Strings, numbers and booleans with their limits, enumerations and patterns. */
export const scalarFeatures: readonly Feature[] = [
  { name: "plainText", schema: { type: "string" }, valid: ["a", "", "é", "1"], odd: [long, "\u0000", "a\nb"] },
  {
    name: "shortText",
    schema: { type: "string", minLength: 2, maxLength: 5, description: "two to five" },
    valid: ["abc", "éé"],
    odd: ["", "a", "é", "abcdef", "éééééé", "😀😀", "😀😀😀😀😀", "😀"],
  },
  {
    name: "matched",
    schema: { type: "string", pattern: "^[a-z]([-a-z0-9]*[a-z0-9])?$", maxLength: 20 },
    valid: ["abc", "a-1"],
    odd: ["", "A", "-a", "a-", "a b", "a".repeat(21), "A".repeat(21)],
  },
  {
    name: "matchedAnywhere",
    schema: { type: "string", pattern: "(?i)x[[:digit:]]+\\b|\\pL{3}" },
    valid: ["x1", "aX22", "äöü"],
    odd: ["x", "12", "ab", "X1y"],
  },
  {
    name: "choice",
    schema: { type: "string", enum: ["Always", "Never", "", "é"] },
    valid: ["Always", ""],
    odd: ["always", "Always ", "Sometimes"],
  },
  {
    name: "choiceOfNumbers",
    schema: { type: "integer", enum: [1, 2, 4] },
    valid: [1, 4],
    odd: [3, 0, rawNumber("2.0"), "1"],
  },
  {
    name: "choiceWithNull",
    schema: { type: "string", nullable: true, enum: ["a", "b", null] },
    valid: ["a", null],
    odd: ["c", ""],
  },
  {
    name: "choiceOfObjects",
    schema: {
      type: "object",
      properties: { a: { type: "integer" } },
      enum: [{ a: 1 }, { a: 2 }],
    },
    valid: [{ a: 1 }],
    odd: [{ a: 3 }, {}, { a: 1, b: 2 }],
  },
  {
    name: "ranged",
    schema: { type: "integer", minimum: -2, maximum: 10 },
    valid: [0, -2, 10],
    odd: [-3, 11, 1.5, rawNumber("3.0"), rawNumber("1e1"), rawNumber("1E2"), "3", rawNumber("-0")],
  },
  {
    name: "rangedOpen",
    schema: {
      type: "integer",
      minimum: 0,
      exclusiveMinimum: true,
      maximum: 10,
      exclusiveMaximum: true,
      format: "int32",
    },
    valid: [1, 9],
    odd: [0, 10, 3_000_000_000, -1],
  },
  {
    name: "multiple",
    schema: { type: "integer", multipleOf: 5, format: "int64" },
    valid: [0, 15, -5],
    odd: [3, 7, rawNumber("9223372036854775807"), rawNumber("9223372036854775808"), rawNumber("-9223372036854775808")],
  },
  {
    name: "fraction",
    schema: { type: "number", minimum: 0.5, maximum: 99.5, format: "double" },
    valid: [0.5, 7, 99.5],
    odd: [0.49, 100, -1, rawNumber("1e400"), rawNumber("1.50"), rawNumber("7.0"), rawNumber("1e-7"), "0.5"],
  },
  {
    name: "fractionOpen",
    schema: { type: "number", minimum: 0, exclusiveMinimum: true, multipleOf: 0.25, format: "float" },
    valid: [0.25, 3],
    odd: [0, 0.3, -0.25, rawNumber("1e40")],
  },
  { name: "switched", schema: { type: "boolean" }, valid: [true, false], odd: ["true", 1, "yes"] },
  {
    name: "intOrString",
    schema: { "x-kubernetes-int-or-string": true },
    valid: [5, "50%", "x"],
    odd: [1.5, rawNumber("5.0"), true, -1, "", rawNumber("9223372036854775808")],
  },
  {
    name: "intOrStringAny",
    schema: {
      "x-kubernetes-int-or-string": true,
      anyOf: [{ type: "integer" }, { type: "string" }],
      pattern: "^[0-9]+%$",
      maxLength: 4,
      minimum: 2,
    },
    valid: [3, "10%"],
    odd: [1, "x", "1000%", 2.5, false],
  },
  {
    name: "intOrStringAll",
    schema: {
      "x-kubernetes-int-or-string": true,
      allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { minLength: 2 }],
    },
    valid: [3, "ab"],
    odd: ["a", ""],
  },
  { name: "nullableText", schema: { type: "string", nullable: true }, valid: ["a", null], odd: ["", 5] },
  { name: "notNullableText", schema: { type: "string", nullable: false }, valid: ["a"], odd: [null] },
];
