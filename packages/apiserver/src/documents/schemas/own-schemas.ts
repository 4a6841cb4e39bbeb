import { setOwn } from "@coxswain/apimachinery/own";
import type { ServedResource } from "../served-resource.js";
import { publishSchema, publishSchemaV2 } from "./custom-schema.js";
import { extensions, listSchema, metaTypes, type PublishedSchemas, typeMembers } from "./custom-schemas.js";
import type { Dialect, OpenAPISchema } from "./openapi-schema.js";
import { orderSchema } from "./schema-order.js";

/** The schemas of kinds of one's own among `resources`: each kind, its list, and the parts that its schema names. */
export function ownSchemas(resources: readonly ServedResource[], dialect: Dialect): PublishedSchemas {
  const schemas = new Map<string, OpenAPISchema>();
  for (const resource of resources) {
    const { own, schema, listKind } = resource;
    if (!own) continue;
    const members = typeMembers("io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata", "ObjectMeta", dialect);
    const publish = dialect.v3 ? publishSchema : publishSchemaV2;
    for (const [name, given] of own.schemas) {
      const published = withReferences(publish(given, members), dialect);
      schemas.set(
        name,
        name === schema.name
          ? orderSchema({
              ...published,
              properties: { ...published.properties, ...members },
              ...extensions(resource, resource.kind),
            })
          : published,
      );
    }
    schemas.set(schema.name.slice(0, schema.name.lastIndexOf(".") + 1) + listKind, listSchema(resource, dialect));
  }
  return { schemas, refersTo: schemas.size > 0 ? metaTypes : [] };
}

/** References with the place of the document; what stands beside one is wrapped around it in OpenAPI 3. */
function withReferences(schema: OpenAPISchema, dialect: Dialect): OpenAPISchema {
  const { $ref, items, properties, additionalProperties, ...rest } = schema;
  if ($ref !== undefined) {
    const reference = { $ref: dialect.refPrefix + $ref };
    if (!dialect.v3) return orderSchema({ ...reference, ...rest });
    return Object.keys(rest).length === 0 ? reference : orderSchema({ ...rest, allOf: [reference] });
  }
  const inside = {};
  for (const [name, inner] of Object.entries(properties ?? {})) setOwn(inside, name, withReferences(inner, dialect));
  return orderSchema({
    ...rest,
    ...(items && { items: withReferences(items, dialect) }),
    ...(properties && { properties: inside }),
    ...(typeof additionalProperties === "object"
      ? { additionalProperties: withReferences(additionalProperties, dialect) }
      : additionalProperties !== undefined && { additionalProperties }),
  });
}
