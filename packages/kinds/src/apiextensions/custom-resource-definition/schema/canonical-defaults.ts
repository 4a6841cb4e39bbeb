import type { JSONSchemaProps } from "@coxswain/api/apiextensions/v1";
import { builtInTypes } from "@coxswain/api/tables";
import { coerceEmbedded, readStructural } from "@coxswain/apimachinery/structural-schema";
import { hasSchema, itemsOf, type Schema } from "./schema-walk.js";

const objectMeta = builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
const metaMembers = new Set(["apiVersion", "kind", "metadata"]);

/** Whether a default may hold an object with metadata. */
export const hasEmbeddedDefaults = (schema: Schema | undefined): boolean =>
  schema?.default !== undefined ||
  (hasSchema(schema, (one) => one["x-kubernetes-embedded-resource"] === true) &&
    hasSchema(schema, (one) => one.default !== undefined));

interface Place {
  /** Whether the value has metadata, whatever the schema has for it: the root of a resource. */
  readonly isResource?: boolean;
  /** Within the members that every object has. Those defaults stay as they are. */
  readonly inMeta?: boolean;
}

/** The schema with the metadata of objects that are defaults in canonical form. What cannot be read stays: validation reports it. */
export function withCanonicalDefaults(
  schema: JSONSchemaProps,
  { isResource = schema["x-kubernetes-embedded-resource"] === true, inMeta = false }: Place = {},
): JSONSchemaProps {
  const inner = !isResource && inMeta;
  const items = itemsOf(schema) as JSONSchemaProps | undefined;
  const changed: JSONSchemaProps = { ...schema };
  if (schema.default !== undefined && !inner)
    changed.default = coerceEmbedded(schema.default, readStructural(schema), { objectMeta, root: isResource }).object;
  if (items) changed.items = withCanonicalDefaults(items, { inMeta: inner });
  if (schema.properties) {
    changed.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [
        name,
        withCanonicalDefaults(property, { inMeta: inner || (isResource && metaMembers.has(name)) }),
      ]),
    );
  }
  return changed;
}
