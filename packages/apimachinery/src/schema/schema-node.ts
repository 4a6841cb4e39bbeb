import type { FieldNode, MessageField } from "./field-node.js";

/** What a value is. Numbers, because the engines switch on them once per member. */
export const typeCodes = {
  string: 0,
  bool: 1,
  int32: 2,
  int64: 3,
  float64: 4,
  /** Base64 text in JSON, raw in protobuf. */
  bytes: 5,
  quantity: 6,
  /** RFC 3339 in whole seconds, or null. */
  time: 7,
  /** RFC 3339 with six decimals, or null. */
  microTime: 8,
  /** Go duration text ("1m30s"). */
  duration: 9,
  intOrString: 10,
  /** runtime.RawExtension: any JSON object, kept as it came. */
  rawExtension: 11,
  /** The field set of a managedFields entry: any JSON object. */
  fieldsV1: 12,
  /** Any JSON value (apiextensions JSON; what a CRD schema leaves open). */
  json: 13,
  struct: 14,
  list: 15,
  map: 16,
  /** JSONSchemaPropsOrBool: a boolean or a struct (`element`). */
  schemaOrBool: 17,
  /** JSONSchemaPropsOrArray: a struct (`element`) or a list of them. */
  schemaOrArray: 18,
  /** JSONSchemaPropsOrStringArray: a struct (`element`) or a list of strings. */
  schemaOrStringArray: 19,
  /** Text that is a list in JSON and a message with `items = 1` in protobuf (ExtraValue, Verbs). */
  wrappedStringList: 20,
  uint32: 21,
} as const;
export type TypeCode = (typeof typeCodes)[keyof typeof typeCodes];

export type ListType = "atomic" | "set" | "map";
/** "": the source has no marker, and apply takes its default: lists atomic, maps and structs member by member. */
export type ApplyType = "" | ListType | "granular";

/** Members of which one may be set, as OpenAPI's x-kubernetes-unions names them. */
export interface UnionFact {
  /** "" where a union has none. */
  readonly discriminator: string;
  /** The discriminator's value for each member is its Go name. */
  readonly members: readonly { readonly field: string; readonly goName: string }[];
}

/**
 * A type as data: the one model that decoding, protobuf, patches, server-side apply, validation and OpenAPI walk.
 * Built-in types are linked from the tables (`table.ts`), custom resources from their structural schema; the engines see no difference.
 * All nodes have the same shape, so that reading one stays monomorphic.
 */
export interface SchemaNode {
  readonly code: TypeCode;
  /** OpenAPI name of a struct or a named type ("io.k8s.api.core.v1.PodSpec"), else "". */
  readonly name: string;
  /** Struct: members in canonical (Go) order, JSON-inline structs flattened into their place. */
  readonly fields: readonly FieldNode[];
  /** Struct: the same by JSON name. */
  readonly byName: ReadonlyMap<string, FieldNode>;
  /** Struct: its protobuf layout in order of number; a JSON-inline struct is one nested message here. */
  readonly message: readonly MessageField[];
  /** List and map: what they hold. The unions: the struct. */
  readonly element: SchemaNode | undefined;
  /** List and map: whether Go holds pointers (a null element then stays null). */
  readonly elementPointer: boolean;
  /** The allowed texts of a `+enum` type, sorted as OpenAPI lists them. */
  readonly enumValues: readonly string[] | undefined;
  /** Struct: members no field names are kept (CRD x-kubernetes-preserve-unknown-fields). */
  readonly preserveUnknown: boolean;
  /** List: how apply identifies its items. */
  readonly listType: ListType;
  /** List of type map: the members that identify an item. */
  readonly listKeys: readonly string[];
  /** Struct and map: apply takes the whole value or nothing. */
  readonly atomic: boolean;
  /** List, map and struct: what the source has for it in markers, as OpenAPI repeats it. */
  readonly applyType: ApplyType;
  /** Struct: its unions, those of inlined structs last. */
  readonly unions: readonly UnionFact[];
  /** Declarative validation of the type (`table.ts` has the form); a member's own rules are on the `FieldNode`. */
  readonly rules: readonly string[];
  /** Rules that upstream does not enforce yet: it compares them with its hand-written validation, which has the same rules. */
  readonly comparedRules: readonly string[];
}
