import { isInt } from "../values/int.js";
import { Double, ListValue, MapValue, type Value } from "../values/value.js";
import { MutationObject } from "./mutation-types.js";

/** JSON data without a schema: what `object` and `request` of admission policies are. Nothing is copied. */
export function jsonToValue(json: unknown): Value {
  switch (typeof json) {
    case "string":
    case "boolean":
    case "bigint":
      return json;
    case "number":
      return Number.isInteger(json) ? json : new Double(json);
    case "object":
      if (json === null) return null;
      return Array.isArray(json) ? new JsonList(json) : new JsonMap(json as Readonly<Record<string, unknown>>);
    default:
      return null;
  }
}

class JsonList extends ListValue {
  readonly items: readonly unknown[];
  constructor(items: readonly unknown[]) {
    super();
    this.items = items;
  }
  get size(): number {
    return this.items.length;
  }
  get(index: number): Value {
    return jsonToValue(this.items[index]);
  }
}

class JsonMap extends MapValue {
  readonly members: Readonly<Record<string, unknown>>;
  constructor(members: Readonly<Record<string, unknown>>) {
    super();
    this.members = members;
  }
  get size(): number {
    return Object.keys(this.members).length;
  }
  find(key: Value): Value | undefined {
    if (typeof key !== "string" || !Object.hasOwn(this.members, key)) return undefined;
    return jsonToValue(this.members[key]);
  }
  keys(): Iterable<Value> {
    return Object.keys(this.members);
  }
}

/** JSON data of a value, for results that are stored: patches, audit annotations. Undefined for values that have none. */
export function valueToJson(value: Value): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean" || isInt(value)) return value;
  if (value instanceof Double) return value.value;
  if (value instanceof JsonList) return value.items;
  if (value instanceof JsonMap) return value.members;
  if (value instanceof ListValue)
    return Array.from({ length: value.size }, (_, index) => valueToJson(value.get(index)));
  if (value instanceof MapValue)
    return Object.fromEntries([...value.keys()].map((key) => [String(key), valueToJson(value.find(key) as Value)]));
  if (value instanceof MutationObject)
    return Object.fromEntries([...value.fields].map(([name, member]) => [name, valueToJson(member)]));
  return undefined;
}
