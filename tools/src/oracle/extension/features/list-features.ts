import type { Feature } from "./feature.js";

const text = { type: "string", maxLength: 20 } as const;
const port = { type: "integer", format: "int32", minimum: 1, maximum: 65535 } as const;

/** Lists: their limits and their types. */
export const listFeatures: readonly Feature[] = [
  {
    name: "list",
    schema: { type: "array", minItems: 1, maxItems: 3, items: text },
    valid: [["a"], ["a", "a", "b"]],
    odd: [[], ["a", "b", "c", "d"], [1], [null], ["a", "x".repeat(21)], [["a"]]],
  },
  {
    name: "listOfLists",
    schema: { type: "array", items: { type: "array", maxItems: 2, items: { type: "integer" } } },
    valid: [[[1, 2], []]],
    odd: [[[1, 2, 3]], [["1"]], [1], [null], [[null]]],
  },
  {
    name: "atomicList",
    schema: { type: "array", "x-kubernetes-list-type": "atomic", items: text },
    valid: [["b", "a"], ["a", "a"], []],
    odd: [[1]],
  },
  {
    name: "setList",
    schema: { type: "array", "x-kubernetes-list-type": "set", items: text },
    valid: [["b", "a"], ["c"], []],
    odd: [["a", "a"], ["a", "b", "a", "b"], [null], [1]],
  },
  {
    name: "setOfNumbers",
    schema: { type: "array", "x-kubernetes-list-type": "set", items: { type: "integer" } },
    valid: [[2, 1], [3]],
    odd: [[1, 1], ["1"]],
  },
  {
    name: "setOfObjects",
    schema: {
      type: "array",
      "x-kubernetes-list-type": "set",
      items: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: text, b: { type: "integer" } } },
    },
    valid: [[{ a: "x" }, { a: "y", b: 1 }]],
    odd: [
      [
        { a: "x", b: 1 },
        { b: 1, a: "x" },
      ],
      [{}, {}],
      [{ c: 1 }, { c: 2 }],
    ],
  },
  {
    name: "mapList",
    schema: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", required: ["name"], properties: { name: text, value: text, on: { type: "boolean" } } },
    },
    valid: [[{ name: "b", value: "1" }, { name: "a" }], [{ name: "c", on: true }], []],
    odd: [
      [{ name: "a" }, { name: "a", value: "2" }],
      [{ value: "1" }],
      [{ name: 5 }],
      [{ name: null }],
      [null],
      [{ name: "a", extra: 1 }],
      [{}, {}],
    ],
  },
  {
    name: "mapListOfTwo",
    schema: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
      items: {
        type: "object",
        required: ["port"],
        properties: { port, protocol: { type: "string", default: "TCP", enum: ["TCP", "UDP"] }, name: text },
      },
    },
    valid: [[{ port: 80 }, { port: 80, protocol: "UDP", name: "u" }], [{ port: 53, protocol: "UDP" }]],
    odd: [
      [{ port: 80 }, { port: 80, protocol: "TCP" }],
      [{ port: 0 }],
      [{ protocol: "TCP" }],
      [{ port: 80, protocol: "SCTP" }],
      [{ port: "80" }],
      [{ port: 80, protocol: null }],
    ],
  },
  {
    name: "listOfOpenObjects",
    schema: {
      type: "array",
      items: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { a: text } },
    },
    valid: [[{ a: "x", b: { c: [1] } }], [{}]],
    odd: [[{ a: 1 }], [{ a: null, d: null }]],
  },
  {
    name: "listWithDefaults",
    schema: {
      type: "array",
      default: [{ name: "first" }],
      items: { type: "object", properties: { name: text, count: { type: "integer", default: 3 } } },
    },
    valid: [[{ name: "a" }, { name: "b", count: 1 }], []],
    odd: [[{}], [{ count: null }], null, [{ count: "x" }]],
  },
];
