import type { JSONSchemaProps } from "@coxswain/api/apiextensions/v1";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import type { Doc } from "../markers/read-doc.js";
import type { SourcePlace } from "../syntax/source-place.js";

/**
 * What a type is once names, generics and utility types are resolved. Members are evaluated when they are asked for, so
 * that `Pick` and `Omit` look only at what they keep, and a type that contains itself is found by the code that walks it.
 */
export type Shape = {
  readonly place: SourcePlace;
  /** Of the declarations the type was found through, the innermost first. */
  readonly docs: readonly Doc[];
} & (
  | { readonly is: "scalar"; readonly schema: Readonly<JSONSchemaProps> }
  | { readonly is: "literal"; readonly value: string | number | boolean }
  | { readonly is: "null" | "undefined" | "never" }
  | { readonly is: "list"; readonly element: () => Shape }
  | ObjectShape
  | { readonly is: "union"; readonly alternatives: readonly Shape[] }
  /** A type of Kubernetes itself, from the tables. */
  | { readonly is: "built-in"; readonly type: SchemaNode }
);

export interface ObjectShape {
  readonly is: "object";
  readonly members: readonly ShapeMember[];
  /** What a map holds (`Record<string, T>`), beside its named members. */
  readonly values: (() => Shape) | undefined;
  /**
   * Names the declaration and its arguments; a walk that meets it again inside itself has found a recursive type. "" for
   * plain maps, which have no declaration.
   */
  readonly identity: string;
}

export interface ShapeMember {
  readonly name: string;
  readonly optional: boolean;
  readonly shape: () => Shape;
  readonly doc: Doc;
  readonly place: SourcePlace;
}

/** The alternatives of a union, or the shape itself. */
export const alternativesOf = (shape: Shape): readonly Shape[] => (shape.is === "union" ? shape.alternatives : [shape]);
