import { append } from "@coxswain/apimachinery/append";
import { type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";
import { leafTypeNamed, leafTypeOf } from "./leaf-types.js";
import type { Dialect, OpenAPISchema } from "./openapi-schema.js";
import { kindsOfType } from "./type-kinds.js";
import { structSchema } from "./type-schema.js";

/** Finds a type by its OpenAPI name. A type registry is one. */
export interface TypeSource {
  get(name: string): SchemaNode;
}

export interface CollectOptions {
  readonly types: TypeSource;
  readonly dialect: Dialect;
  /** Of the document, for kinds that belong to all of them. */
  readonly groupVersions: readonly { readonly group: string; readonly version: string }[];
  /** Types that need not be collected again. @default none */
  readonly known?: { has(name: string): boolean };
}

/** The schemas of the named types and of all that they refer to, sorted by name. */
export function collectSchemas(
  names: Iterable<string>,
  { types, dialect, groupVersions, known }: CollectOptions,
): Record<string, OpenAPISchema> {
  const found = new Map<string, OpenAPISchema>();
  const pending = [...names];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name) || known?.has(name)) continue;
    const leaf = leafTypeNamed(name);
    if (leaf) {
      const description = dialect.describe(name);
      found.set(name, {
        ...(description === undefined ? {} : { description }),
        ...((dialect.v3 ? undefined : leaf.v2) ?? leaf.v3),
      });
      continue;
    }
    const node = types.get(name);
    const schema = structSchema(node, dialect);
    const kinds = kindsOfType(node, groupVersions);
    found.set(name, kinds.length > 0 ? withKinds(schema, kinds) : schema);
    for (const field of node.fields) append(pending, referredTypes(field.type));
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Before the unions: extensions are sorted. */
function withKinds(
  { "x-kubernetes-unions": unions, ...schema }: OpenAPISchema,
  kinds: readonly { group: string; version: string; kind: string }[],
): OpenAPISchema {
  const sorted = kinds.map(({ group, kind, version }) => ({ group, kind, version }));
  return {
    ...schema,
    "x-kubernetes-group-version-kind": sorted,
    ...(unions === undefined ? {} : { "x-kubernetes-unions": unions }),
  };
}

function referredTypes(type: SchemaNode): string[] {
  if (type.code === typeCodes.struct) return [type.name];
  if (type.code === typeCodes.list || type.code === typeCodes.map) return referredTypes(type.element!);
  const leaf = leafTypeOf(type.code);
  // The unions of JSONSchemaProps are opaque, and the struct in them is one that refers to itself anyway.
  return leaf ? [leaf.name] : [];
}
