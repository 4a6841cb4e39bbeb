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

/** One member of a struct. */
export interface FieldNode {
  /** JSON name. */
  readonly name: string;
  readonly type: SchemaNode;
  /** Position in `fields`, so that an engine can keep per-field marks in an array. */
  readonly index: number;
  /** Go holds a pointer: absent and zero differ. */
  readonly pointer: boolean;
  /** Left out when empty: nil pointer, zero scalar, empty list or map. A struct value is never empty in Go's sense. */
  readonly omitEmpty: boolean;
  /** Left out when zero, structs and times too. */
  readonly omitZero: boolean;
  readonly required: boolean;
  /** "merge", "replace", "retainKeys"; empty where the tables name none. */
  readonly patchStrategy: readonly string[];
  /** "" where the tables name none. */
  readonly patchMergeKey: string;
  /** The feature gate without which a write drops this member (unless the old object has it). */
  readonly gate: string | undefined;
  /** Every gate the source names; nearly always none or one. */
  readonly gates: readonly string[];
  /** From a `+default` marker: what apply assumes for an absent list key. Defaulting proper is a function per kind. */
  readonly defaultValue: unknown;
  /** Declarative validation rules in force; `table.ts` has the form. */
  readonly rules: readonly string[];
  /** Rules that upstream only compares with its hand-written validation, which has the same rules. */
  readonly comparedRules: readonly string[];
}

/** One field of a struct's protobuf message. */
export interface MessageField {
  readonly number: number;
  /** The member it carries; undefined for a JSON-inline struct. */
  readonly field: FieldNode | undefined;
  /** A JSON-inline struct: its members stand in the parent's JSON, its message is nested here. */
  readonly inline: SchemaNode | undefined;
  /** An inlined pointer is written only when one of its members is there. */
  readonly pointer: boolean;
}
