type Primitive = string | number | boolean | bigint | null | undefined;

/** Some of a type's members, at any depth; what an apply configuration is. */
export type DeepPartial<T> = T extends Primitive
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepPartial<Item>[]
    : { readonly [K in keyof T]?: DeepPartial<T[K]> };

/** As DeepPartial, and null deletes a member. */
export type MergePatch<T> = T extends Primitive
  ? T
  : T extends readonly (infer Item)[]
    ? readonly MergePatch<Item>[]
    : { readonly [K in keyof T]?: MergePatch<T[K]> | null };

/** RFC 6902. */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "copy" | "move"; readonly from: string; readonly path: string };

/** One kind of patch; the name of its member is the kind. */
export type Patch<T> =
  /** RFC 7386: members replace, null deletes, lists are replaced whole. */
  | { readonly merge: MergePatch<T> }
  /** As merge, but lists merge by their keys and `$patch` directives count. Not for custom resources. */
  | { readonly strategic: MergePatch<T> | Readonly<Record<string, unknown>> }
  | { readonly json: readonly JsonPatchOperation[] };

/** Media type and body of a patch. */
export function encodePatch(patch: Patch<unknown>): { readonly contentType: string; readonly value: unknown } {
  if ("merge" in patch) return { contentType: "application/merge-patch+json", value: patch.merge };
  if ("strategic" in patch) return { contentType: "application/strategic-merge-patch+json", value: patch.strategic };
  return { contentType: "application/json-patch+json", value: patch.json };
}

/** Of server-side apply; its body is YAML, of which JSON is a part. */
export const applyContentType = "application/apply-patch+yaml";
