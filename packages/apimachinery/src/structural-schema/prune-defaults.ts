import type { SchemaNode } from "../schema/index.js";
import { coerceEmbedded } from "./coerce-embedded.js";
import { pruneValue } from "./prune.js";
import { isObject, type JsonObject } from "../patch/json-value.js";
import type { Structural } from "./structural.js";

/** The schema with its defaults pruned by itself, so that applying them brings nothing unknown in. Done once per schema. */
export function pruneDefaults(schema: Structural, options: { readonly objectMeta: SchemaNode }): Structural {
  const inner = (child: Structural): Structural => pruneDefaults(child, options);
  const { additionalProperties, items, defaultValue } = schema;
  return {
    ...schema,
    properties: new Map([...schema.properties].map(([name, child]) => [name, inner(child)])),
    additionalProperties: typeof additionalProperties === "object" ? inner(additionalProperties) : additionalProperties,
    items: items && inner(items),
    defaultValue: defaultValue === undefined ? undefined : pruneDefault(defaultValue, schema, options),
  };
}

function pruneDefault(value: unknown, schema: Structural, { objectMeta }: { readonly objectMeta: SchemaNode }): unknown {
  const coerced: unknown = isObject(value) ? coerceEmbedded(value, schema, { objectMeta, dropInvalid: true }).object : value;
  return pruneValue(coerced as JsonObject, schema, { path: "", unknown: [] });
}
