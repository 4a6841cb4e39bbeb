import { runAtOnce, type Steps } from "@coxswain/runtime/steps";
import { isObject } from "../patch/json-value.js";
import type { SchemaNode } from "../schema/index.js";
import { coerceEmbedded } from "./coerce-embedded.js";
import { pruneUnknown } from "./prune.js";
import { type Structural, schemaMicros } from "./structural.js";
import { follow, items, surround, type Way } from "./surrounding-object.js";

export interface PruneDefaultsOptions {
  /** The type of `metadata`. */
  readonly objectMeta: SchemaNode;
}

/** What pruning one default takes, in microseconds. */
const defaultMicros = 20;

/** The schema of a resource with its defaults pruned by itself, so that applying them brings nothing unknown in. Done once per schema. */
export const pruneDefaults = (root: Structural, options: PruneDefaultsOptions): Structural =>
  runAtOnce(pruneDefaultsInSteps(root, options));

/** The same in steps. */
export function pruneDefaultsInSteps(root: Structural, { objectMeta }: PruneDefaultsOptions): Steps<Structural> {
  /** In the place that it is for: what metadata may have depends on whose it is. */
  function pruned(value: unknown, way: Way): unknown {
    const object = surround(value, way);
    if (!isObject(object)) return value;
    const coerced = coerceEmbedded(object, root, { objectMeta, root: true, dropInvalid: true }).object;
    return follow(pruneUnknown(coerced, root).object, way);
  }

  function* walk(schema: Structural, way: Way): Steps<Structural> {
    const { additionalProperties: others, items: inner, defaultValue } = schema;
    const properties = new Map<string, Structural>();
    for (const [name, child] of schema.properties) properties.set(name, yield* walk(child, [...way, name]));
    const additionalProperties = typeof others === "object" ? yield* walk(others, [...way, "*"]) : others;
    const ofList = inner && (yield* walk(inner, [...way, items]));
    yield defaultValue === undefined ? schemaMicros : defaultMicros;
    return {
      ...schema,
      properties,
      additionalProperties,
      items: ofList,
      defaultValue: defaultValue === undefined ? undefined : pruned(defaultValue, way),
    };
  }

  return walk(root, []);
}
