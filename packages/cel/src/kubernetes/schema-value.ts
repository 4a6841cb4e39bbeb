import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn, ownKeys } from "@coxswain/apimachinery/own";
import { type Structural } from "@coxswain/apimachinery/structural-schema";
import { opaqueType } from "../types/type.js";
import { equal } from "../values/equal.js";
import { CelError, Double, MapValue, OpaqueValue, type Value } from "../values/value.js";
import { escapeName, unescapeName } from "./escaping.js";
import { formattedString } from "./formatted-string.js";
import { withTypeAndObjectMeta } from "./object-meta.js";
import { asKeyedList, asSet, SchemaList } from "./schema-lists.js";

/** Data of a custom resource, seen through its schema. Nothing is copied: members are converted when they are read. */
export function schemaToValue(data: unknown, schema: Structural): Value {
  if (data === null || data === undefined)
    return schema.nullable ? null : new CelError("invalid data, got null for schema with nullable=false");
  if (schema.intOrString) {
    if (typeof data === "string" || isInteger(data)) return data;
    return new CelError("invalid data, expected XIntOrString value to be either a string or integer");
  }
  switch (schema.type) {
    case "object":
      if (typeof data !== "object" || Array.isArray(data))
        return new CelError("invalid data, expected a map for the provided schema with type=object");
      return new SchemaMap(data, schema.embeddedResource ? withTypeAndObjectMeta(schema) : schema);
    case "array":
      return listValue(data, schema);
    case "string":
      return typeof data === "string" ? formattedString(data, schema) : wrongType("string", data);
    case "number":
      return typeof data === "number" || typeof data === "bigint" ? new Double(Number(data)) : wrongType("float", data);
    case "integer":
      return isInteger(data) ? data : wrongType("int", data);
    case "boolean":
      return typeof data === "boolean" ? data : wrongType("bool", data);
    default:
      if (schema.preserveUnknown) return new PreservedValue(data);
      return new CelError(
        `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type}`,
      );
  }
}

const isInteger = (data: unknown): data is number | bigint => typeof data === "bigint" || Number.isInteger(data);

const goNames: Readonly<Record<string, string>> = { string: "string", boolean: "bool", bigint: "int64" };

function wrongType(expected: string, data: unknown): CelError {
  const plain = Array.isArray(data) ? "[]interface {}" : "map[string]interface {}";
  const actual = typeof data === "number" ? (Number.isInteger(data) ? "int64" : "float64") : goNames[typeof data];
  return new CelError(`invalid data, expected ${expected}, got ${actual ?? plain}`);
}

/** An object with declared properties, or a map with values of one schema. */
export class SchemaMap extends MapValue {
  readonly data: object;
  readonly #schema: Structural;
  /** Names of declared properties are escaped in expressions; keys of maps are not. */
  readonly #isObject: boolean;

  constructor(data: object, schema: Structural) {
    super();
    this.data = data;
    this.#schema = schema;
    this.#isObject = schema.properties.size > 0;
  }

  get size(): number {
    return ownKeys(this.data).length;
  }

  #schemaOf(name: string): Structural | undefined {
    if (this.#isObject) return this.#schema.properties.get(name);
    const { additionalProperties } = this.#schema;
    return typeof additionalProperties === "object" ? additionalProperties : undefined;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== "string") return new CelError("no such overload");
    const name = this.#isObject ? unescapeName(key) : key;
    if (name === undefined || !Object.hasOwn(this.data, name)) return undefined;
    const member = getOwn<unknown>(this.data as Readonly<Record<string, unknown>>, name);
    // A null property is as absent as one that is not there.
    if (this.#isObject && member === null) return undefined;
    const schema = this.#schemaOf(name);
    return schema === undefined ? undefined : schemaToValue(member, schema);
  }

  *keys(): Iterable<Value> {
    for (const name of ownKeys(this.data)) {
      if (this.#schemaOf(name) === undefined) continue;
      yield this.#isObject ? (escapeName(name) ?? name) : name;
    }
  }

  /** Members without a schema are compared as plain data. */
  override equals(other: MapValue): boolean {
    if (this.size !== other.size) return false;
    for (const name of ownKeys(this.data)) {
      if (this.#schemaOf(name) === undefined) {
        if (!(other instanceof SchemaMap) || !equalMember(this.data, other.data, name)) return false;
        continue;
      }
      const key = this.#isObject ? (escapeName(name) ?? name) : name;
      const [mine, theirs] = [this.find(key), other.find(key)];
      if (mine === undefined || theirs === undefined) {
        if (mine !== theirs) return false;
      } else if (!equal(mine, theirs)) return false;
    }
    return true;
  }
}

/** Upstream ignores a member that the other does not have: sizes are equal already. */
function equalMember(mine: object, theirs: object, name: string): boolean {
  if (!Object.hasOwn(theirs, name)) return true;
  const read = (data: object): unknown => getOwn<unknown>(data as Readonly<Record<string, unknown>>, name);
  return equalJson(read(mine), read(theirs));
}

function listValue(data: unknown, schema: Structural): Value {
  if (!Array.isArray(data))
    return new CelError("invalid data, expected an array for the provided schema with type=array");
  if (schema.items === undefined) return new CelError("invalid array type, expected Items with a non-empty Schema");
  const { items } = schema;
  const list = new SchemaList(data, (element) => schemaToValue(element, items));
  switch (schema.listType) {
    case "set":
      return asSet(list);
    case "map":
      return asKeyedList(
        list,
        schema.listKeys.map((key) => escapeName(key) ?? key),
      );
    default:
      return list;
  }
}

/** Data that the schema does not type but preserves. Expressions can only compare it. */
class PreservedValue extends OpaqueValue {
  readonly type = opaqueType("unknown");
  readonly #data: unknown;
  constructor(data: unknown) {
    super();
    this.#data = data;
  }
  equals(other: Value): boolean {
    return other instanceof PreservedValue && equalJson(this.#data, other.#data);
  }
  toString(): string {
    return JSON.stringify(this.#data) ?? "";
  }
}
