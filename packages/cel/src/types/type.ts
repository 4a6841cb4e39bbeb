/** CEL's kinds of types. A wrapper is the kind it wraps, with `nullable`. */
export type TypeKind =
  | "any"
  | "bool"
  | "bytes"
  | "double"
  | "duration"
  | "dyn"
  | "error"
  | "int"
  | "list"
  | "map"
  | "null"
  | "opaque"
  | "string"
  | "struct"
  | "timestamp"
  | "type"
  | "type_param"
  | "uint";

/** A type of the checker, and at run time the value of `type(x)`. */
export class Type {
  readonly kind: TypeKind;
  /** As `type()` shows it: `list`, `google.protobuf.Timestamp`. */
  readonly name: string;
  readonly parameters: readonly Type[];
  /** A protobuf wrapper: assignable from null. */
  readonly nullable: boolean;

  constructor(kind: TypeKind, name: string, parameters: readonly Type[] = [], nullable = false) {
    this.kind = kind;
    this.name = name;
    this.parameters = parameters;
    this.nullable = nullable;
  }
}

export const anyType = new Type("any", "google.protobuf.Any");
export const boolType = new Type("bool", "bool");
export const bytesType = new Type("bytes", "bytes");
export const doubleType = new Type("double", "double");
export const durationType = new Type("duration", "google.protobuf.Duration");
export const dynType = new Type("dyn", "dyn");
export const errorType = new Type("error", "error");
export const intType = new Type("int", "int");
export const nullType = new Type("null", "null_type");
export const stringType = new Type("string", "string");
export const timestampType = new Type("timestamp", "google.protobuf.Timestamp");
export const typeType = new Type("type", "type");
export const uintType = new Type("uint", "uint");

export const listType = (element: Type): Type => new Type("list", "list", [element]);
export const mapType = (key: Type, value: Type): Type => new Type("map", "map", [key, value]);
export const opaqueType = (name: string, ...parameters: Type[]): Type => new Type("opaque", name, parameters);
export const optionalType = (value: Type): Type => opaqueType("optional_type", value);
export const typeParam = (name: string): Type => new Type("type_param", name);
export const typeOfType = (type: Type): Type => new Type("type", "type", [type]);
export const nullableType = (wrapped: Type): Type => new Type(wrapped.kind, wrapped.name, wrapped.parameters, true);

/** What protobuf's well-known messages are in CEL. */
const wellKnown: ReadonlyMap<string, Type> = new Map([
  ["google.protobuf.Any", anyType],
  ["google.protobuf.Duration", durationType],
  ["google.protobuf.Timestamp", timestampType],
  ["google.protobuf.ListValue", listType(dynType)],
  ["google.protobuf.Struct", mapType(stringType, dynType)],
  ["google.protobuf.Value", dynType],
  ["google.protobuf.NullValue", nullType],
  ["google.protobuf.BoolValue", nullableType(boolType)],
  ["google.protobuf.BytesValue", nullableType(bytesType)],
  ["google.protobuf.DoubleValue", nullableType(doubleType)],
  ["google.protobuf.FloatValue", nullableType(doubleType)],
  ["google.protobuf.Int64Value", nullableType(intType)],
  ["google.protobuf.Int32Value", nullableType(intType)],
  ["google.protobuf.UInt64Value", nullableType(uintType)],
  ["google.protobuf.UInt32Value", nullableType(uintType)],
  ["google.protobuf.StringValue", nullableType(stringType)],
]);

/** A type with declared fields, by its name; a well-known protobuf name is the CEL type it stands for. */
export const objectType = (name: string): Type => wellKnown.get(name) ?? new Type("struct", name);

/** The lists and maps of `type(x)`, whose elements are not looked at. */
export const anyListType = listType(dynType);
export const anyMapType = mapType(dynType, dynType);
export const anyOptionalType = opaqueType("optional_type");

export const isDyn = (type: Type): boolean => type.kind === "dyn" || type.kind === "any";
export const isDynOrError = (type: Type): boolean => isDyn(type) || type.kind === "error";
export const isOptional = (type: Type): boolean => type.kind === "opaque" && type.name === "optional_type";
/** What an optional holds, or the type itself where it is none. */
export const unwrapOptional = (type: Type): Type => (isOptional(type) ? (type.parameters[0] ?? dynType) : type);

/** The same type, parameters and their names included. */
export function isExactType(a: Type, b: Type): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.name === b.name &&
      a.parameters.length === b.parameters.length &&
      a.parameters.every((parameter, index) => isExactType(parameter, b.parameters[index] as Type)))
  );
}

/** The same type but for the names of its type parameters. */
export function isEquivalentType(a: Type, b: Type): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      (a.kind === "type_param" || a.name === b.name) &&
      a.parameters.length === b.parameters.length &&
      a.parameters.every((parameter, index) => isEquivalentType(parameter, b.parameters[index] as Type)))
  );
}

/** Whether a value of type `from` may stand where `to` is declared. */
export function isAssignableType(to: Type, from: Type): boolean {
  if (to.nullable) return from.kind === "null" || isAssignableType(unwrapNullable(to), from);
  if (to === from || isDyn(to) || to.kind === "type_param") return true;
  return (
    to.kind === from.kind &&
    to.name === from.name &&
    to.parameters.length === from.parameters.length &&
    to.parameters.every((parameter, index) => isAssignableType(parameter, from.parameters[index] as Type))
  );
}

const unwrapNullable = (type: Type): Type => new Type(type.kind, type.name, type.parameters);
