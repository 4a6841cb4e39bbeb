import { isObject } from "../patch/json-value.js";
import type { SchemaNode } from "../schema/index.js";
import { coerceEmbedded } from "./coerce-embedded.js";
import { pruneUnknown } from "./prune.js";
import type { Structural } from "./structural.js";
import { follow, items, surround, type Way } from "./surrounding-object.js";

export interface PruneDefaultsOptions {
  /** The type of `metadata`. */
  readonly objectMeta: SchemaNode;
}

/** The schema of a resource with its defaults pruned by itself, so that applying them brings nothing unknown in. Done once per schema. */
export function pruneDefaults(root: Structural, { objectMeta }: PruneDefaultsOptions): Structural {
  /** In the place that it is for: what metadata may have depends on whose it is. */
  function pruned(value: unknown, way: Way): unknown {
    const object = surround(value, way);
    if (!isObject(object)) return value;
    const coerced = coerceEmbedded(object, root, { objectMeta, root: true, dropInvalid: true }).object;
    return follow(pruneUnknown(coerced, root).object, way);
  }

  function walk(schema: Structural, way: Way): Structural {
    const { additionalProperties, items: inner, defaultValue } = schema;
    return {
      ...schema,
      properties: new Map([...schema.properties].map(([name, child]) => [name, walk(child, [...way, name])])),
      additionalProperties:
        typeof additionalProperties === "object" ? walk(additionalProperties, [...way, "*"]) : additionalProperties,
      items: inner && walk(inner, [...way, items]),
      defaultValue: defaultValue === undefined ? undefined : pruned(defaultValue, way),
    };
  }

  return walk(root, []);
}
