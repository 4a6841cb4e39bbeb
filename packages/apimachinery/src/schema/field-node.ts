import type { SchemaNode } from "./schema-node.js";

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
