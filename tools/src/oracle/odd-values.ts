import { type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";
import type { Json } from "../record/index.js";

/** What is likely to meet a rule: empty, zero, negative, too large, too long, badly formed, an unknown choice. */
export function oddValues(node: SchemaNode): Json[] {
  switch (node.code) {
    case typeCodes.string:
      return [
        ...(node.enumValues ?? []).slice(0, 6),
        "",
        "Bogus_1",
        "-x",
        "a/b",
        "good",
        "1.2.3.4",
        " x",
        "é",
        "a".repeat(64),
        "a".repeat(260),
      ];
    case typeCodes.bool:
      return [true, false];
    case typeCodes.int32:
    case typeCodes.uint32:
      return [-1, 0, 1, 7, 70_000, 3_000_000_000];
    case typeCodes.int64:
      return [-1, 0, 1, 7, 70_000, 3_000_000_000];
    case typeCodes.float64:
      return [-1, 0, 0.5];
    case typeCodes.quantity:
      return ["0", "-1", "1500m", "3Gi", "12345678", "1e3", "x"];
    case typeCodes.duration:
      return ["-1s", "0s", "10s", "x"];
    case typeCodes.intOrString:
      return [-1, 0, 3, "50%", "150%", "x", "", "-5%"];
    case typeCodes.bytes:
      return ["", "eA==", "!!!!"];
    case typeCodes.time:
    case typeCodes.microTime:
      return ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123456Z", "yesterday"];
    case typeCodes.list:
      return [[], [sampleOf(elementOf(node), 3)], [sampleOf(elementOf(node), 3), sampleOf(elementOf(node), 3)]];
    case typeCodes.map:
      return [{}, ...["good", "bad key!", "", "example.com/x"].map((key) => ({ [key]: sampleOf(elementOf(node), 3) }))];
    case typeCodes.struct:
      return [{}, sampleOf(node, 3)];
    case typeCodes.wrappedStringList:
      return [[], ["x"]];
    default:
      return [];
  }
}

/** Values that no such member can hold. */
export function wrongTypes(node: SchemaNode): Json[] {
  switch (node.code) {
    case typeCodes.string:
    case typeCodes.bytes:
    case typeCodes.time:
    case typeCodes.microTime:
    case typeCodes.duration:
      return [5, true, {}];
    case typeCodes.bool:
      return ["true", 1];
    case typeCodes.int32:
    case typeCodes.int64:
    case typeCodes.uint32:
    case typeCodes.float64:
      return ["5", 1.5, false];
    case typeCodes.quantity:
    case typeCodes.intOrString:
      return [true, [], 1.5];
    case typeCodes.list:
    case typeCodes.wrappedStringList:
      return ["x", {}];
    case typeCodes.map:
    case typeCodes.struct:
      return ["x", [], 7];
    default:
      return [];
  }
}

export function elementOf(node: SchemaNode): SchemaNode {
  if (!node.element) throw new Error("a list or map without an element");
  return node.element;
}

/** A value with every member, down to `depth`. */
export function sampleOf(node: SchemaNode, depth: number): Json {
  switch (node.code) {
    case typeCodes.string:
      return node.enumValues?.[0] ?? "x";
    case typeCodes.bool:
      return true;
    case typeCodes.int32:
    case typeCodes.int64:
    case typeCodes.uint32:
    case typeCodes.intOrString:
      return 5;
    case typeCodes.float64:
      return 0.5;
    case typeCodes.quantity:
      return "1";
    case typeCodes.duration:
      return "10s";
    case typeCodes.bytes:
      return "eA==";
    case typeCodes.time:
      return "2026-01-01T00:00:00Z";
    case typeCodes.microTime:
      return "2026-01-01T00:00:00.000000Z";
    case typeCodes.list:
      return depth === 0 ? [] : [sampleOf(elementOf(node), depth - 1)];
    case typeCodes.wrappedStringList:
      return ["x"];
    case typeCodes.map:
      return depth === 0 ? {} : { k: sampleOf(elementOf(node), depth - 1) };
    case typeCodes.struct:
      return depth === 0
        ? {}
        : Object.fromEntries(node.fields.map(({ name, type }) => [name, sampleOf(type, depth - 1)]));
    default:
      return {};
  }
}
