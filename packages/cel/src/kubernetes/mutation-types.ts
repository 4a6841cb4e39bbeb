import { type TypeProvider } from "../declarations/type-provider.js";
import { dynType, objectType, stringType, type Type } from "../types/type.js";
import { equal } from "../values/equal.js";
import { goNativeTypeName } from "../values/go-type-name.js";
import { CelError, ListValue, MapValue, OpaqueValue, type Value } from "../values/value.js";

/** The object that is mutated; the type of a field is called by the path to it: `Object.spec.template`. */
export const mutatedObjectType = objectType("Object");
export const jsonPatchType = objectType("JSONPatch");

const isObjectType = (name: string): boolean => name === "Object" || name.startsWith("Object.");

/** `Object.spec{replicas: 3}`: any field, of any type. */
export class MutationObject extends OpaqueValue {
  readonly type: Type;
  readonly fields: ReadonlyMap<string, Value>;
  constructor(type: Type, fields: ReadonlyMap<string, Value>) {
    super();
    this.type = type;
    this.fields = fields;
  }
  override getField(name: string): Value | undefined {
    return this.fields.get(name);
  }
  override unsetField(): Value {
    return null;
  }
  override isZero(): boolean {
    return this.fields.size === 0;
  }
  equals(other: Value): boolean {
    if (!(other instanceof MutationObject) || other.type.name !== this.type.name) return false;
    if (other.fields.size !== this.fields.size) return false;
    return [...this.fields].every(([name, value]) => {
      const theirs = other.fields.get(name);
      return theirs !== undefined && equal(value, theirs);
    });
  }
  toString(): string {
    return this.type.name;
  }
}

/** One operation of a JSON patch. */
export class JsonPatchOperation extends OpaqueValue {
  readonly type = jsonPatchType;
  readonly op: string;
  readonly path: string;
  readonly from: string;
  readonly value: Value | undefined;
  constructor({ op, path, from, value }: { op: string; path: string; from: string; value: Value | undefined }) {
    super();
    this.op = op;
    this.path = path;
    this.from = from;
    this.value = value;
  }
  override getField(name: string): Value | undefined {
    return name === "value" ? this.value : this[name as "op" | "path" | "from"] || undefined;
  }
  override unsetField(name: string): Value {
    return name === "value" ? null : "";
  }
  equals(other: Value): boolean {
    if (!(other instanceof JsonPatchOperation)) return false;
    if (other.op !== this.op || other.path !== this.path || other.from !== this.from) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equal(this.value, other.value);
  }
  toString(): string {
    return this.type.name;
  }
}

const patchFields: ReadonlyMap<string, Type> = new Map([
  ["op", stringType],
  ["path", stringType],
  ["from", stringType],
  ["value", dynType],
]);

/** Upstream has every field, those it does not know with a type that no value is of. */
const unknownField = objectType("");

/** The types that mutating admission policies make values of. */
export const mutationTypes: TypeProvider = {
  findType: (name) => (name === "JSONPatch" ? jsonPatchType : isObjectType(name) ? objectType(name) : undefined),
  findField(typeName, field) {
    if (typeName === "JSONPatch") return patchFields.get(field) ?? unknownField;
    return isObjectType(typeName) ? dynType : undefined;
  },
  newValue(typeName, fields) {
    if (typeName !== "JSONPatch") return new MutationObject(objectType(typeName), fields);
    const texts: Record<"op" | "path" | "from", string> = { op: "", path: "", from: "" };
    for (const name of ["op", "path", "from"] as const) {
      const text = fields.has(name) ? (fields.get(name) as Value) : "";
      if (typeof text !== "string")
        return new CelError(`unexpected type ${goNativeTypeName(text)} for JSONPatchType '${name}' field`);
      texts[name] = text;
    }
    return new JsonPatchOperation({ ...texts, value: fields.get("value") });
  },
};

/** The objects within a value whose type names are not the path at which they stand, as upstream's errors (k8s.io/apiserver/pkg/cel/mutation/dynamic/objects.go, CheckTypeNamesMatchFieldPathNames). */
export function findMisplacedTypes(value: Value, path: string = mutatedObjectType.name): string[] {
  if (value instanceof MutationObject) {
    const { name } = value.type;
    return [
      ...(name === path
        ? []
        : [`unexpected type name "${name}", expected "${path}", which matches field name path from root Object type`]),
      ...[...value.fields].flatMap(([field, member]) => findMisplacedTypes(member, `${path}.${field}`)),
    ];
  }
  if (value instanceof ListValue)
    return Array.from({ length: value.size }, (_, index) => findMisplacedTypes(value.get(index), path)).flat();
  if (value instanceof MapValue)
    return [...value.keys()].flatMap((key) => findMisplacedTypes(value.find(key) as Value, path));
  return [];
}
