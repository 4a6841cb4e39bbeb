import { isJsonObject } from "@coxswain/apimachinery/json";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";

/** Go's names of what a member can be. */
const goKinds = new Map<number, string>([
  [typeCodes.string, "string"],
  [typeCodes.bool, "bool"],
  [typeCodes.int32, "int32"],
  [typeCodes.int64, "int64"],
  [typeCodes.uint32, "uint32"],
  [typeCodes.float64, "float64"],
]);

/**
 * Why a value does not fit a type, in the words of upstream's converter of untyped objects: a strategic merge patch goes
 * through it, and not through the JSON decoder. Undefined: it finds nothing (types with a reader of their own are left to it).
 */
export function conversionFault(value: unknown, node: SchemaNode): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (node.code) {
    case typeCodes.struct:
      if (!isJsonObject(value)) return `cannot restore struct from: ${kindOf(value)}`;
      return first(node.fields, ({ name, type }) => conversionFault(getOwn<unknown>(value, name), type));
    case typeCodes.map:
      if (!isJsonObject(value)) return `cannot restore map from ${kindOf(value)}`;
      return first(ownEntries<unknown>(value), ([, member]) => conversionFault(member, node.element as SchemaNode));
    case typeCodes.list:
      if (!Array.isArray(value)) return `cannot restore slice from ${kindOf(value)}`;
      return first(value, (item) => conversionFault(item, node.element as SchemaNode));
    case typeCodes.bytes:
      return typeof value === "string" ? undefined : `cannot restore slice from ${kindOf(value)}`;
    default:
      return scalarFault(value, goKinds.get(node.code));
  }
}

function scalarFault(value: unknown, wanted: string | undefined): string | undefined {
  if (wanted === undefined) return undefined;
  const given = kindOf(value);
  if (given === wanted || (given === "int64" && wanted !== "string" && wanted !== "bool")) return undefined;
  // Go would turn an integer into the character of that number, and cuts fractions off: both are refused, with these words.
  if (given === "int64" && wanted === "string") return "cannot convert int64 to string";
  if (given === "float64" && wanted !== "string" && wanted !== "bool") return `cannot convert float64 to ${wanted}`;
  return `unrecognized type: ${wanted}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "slice";
  if (isJsonObject(value)) return "map";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return typeof value === "bigint" || Number.isInteger(value) ? "int64" : "float64";
}

function first<T>(items: Iterable<T>, fault: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = fault(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
