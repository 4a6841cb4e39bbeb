import type { ServedResource } from "../served-resource.js";
import { type JSONSchemaProps, publishSchema, publishSchemaV2 } from "./custom-schema.js";
import type { Dialect, OpenAPISchema } from "./openapi-schema.js";
import { orderSchema } from "./schema-order.js";

export interface PublishedSchemas {
  /** By OpenAPI name: each kind and its list. */
  readonly schemas: ReadonlyMap<string, OpenAPISchema>;
  /** Built-in types that they refer to. */
  readonly refersTo: readonly string[];
}

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";

/** OpenAPI name of a custom kind: the group backwards, "com.example.stable.v1.CronTab". */
export function customTypeName({
  group,
  version,
  kind,
}: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}): string {
  return `${group.split(".").reverse().join(".")}.${version}.${kind}`;
}

/** The schemas of the custom resources among `resources`. */
export function customSchemas(resources: readonly ServedResource[], dialect: Dialect): PublishedSchemas {
  const schemas = new Map<string, OpenAPISchema>();
  for (const resource of resources) {
    if (!resource.custom) continue;
    schemas.set(customTypeName(resource), kindSchema(resource, dialect));
    schemas.set(customTypeName({ ...resource, kind: resource.listKind }), listSchema(resource, dialect));
  }
  return { schemas, refersTo: schemas.size > 0 ? metaTypes : [] };
}

/** What every kind and its list refer to. */
export const metaTypes: readonly string[] = [`${meta}.ObjectMeta`, `${meta}.ListMeta`];

function kindSchema(resource: ServedResource, dialect: Dialect): OpenAPISchema {
  const facts = extensions(resource, resource.kind);
  const { openAPIV3Schema, preservesUnknown } = resource.custom!;
  const given = openAPIV3Schema as JSONSchemaProps | undefined;
  // Naming any member would make kubectl refuse all others.
  if (!given || (!dialect.v3 && (preservesUnknown || given["x-kubernetes-preserve-unknown-fields"] === true)))
    return { type: "object", ...facts };
  const objectMembers = typeMembers(`${meta}.PartialObjectMetadata`, "ObjectMeta", dialect);
  const published = (dialect.v3 ? publishSchema : publishSchemaV2)(given, objectMembers);
  return orderSchema({ ...published, properties: { ...published.properties, ...objectMembers }, ...facts });
}

export function listSchema(resource: ServedResource, dialect: Dialect): OpenAPISchema {
  const items = { $ref: dialect.refPrefix + customTypeName(resource) };
  return orderSchema({
    description: `${resource.listKind} is a list of ${resource.kind}`,
    type: "object",
    required: ["items"],
    properties: {
      items: { description: `List of ${resource.resource}.`, type: "array", items },
      ...typeMembers(`${meta}.PartialObjectMetadataList`, "ListMeta", dialect),
    },
    ...extensions(resource, resource.listKind),
  });
}

/** `apiVersion`, `kind` and `metadata`, which every object has whatever its definition contains. */
export function typeMembers(
  describedBy: string,
  metadata: "ObjectMeta" | "ListMeta",
  { refPrefix, v3, describe }: Dialect,
): Record<string, OpenAPISchema> {
  const text = (member: string): { description?: string } => {
    const description = describe(describedBy, member);
    return description === undefined ? {} : { description };
  };
  const reference = { $ref: `${refPrefix}${meta}.${metadata}` };
  const described = text("metadata");
  const wrapped =
    v3 && described.description !== undefined ? { ...described, allOf: [reference] } : { ...reference, ...described };
  return {
    apiVersion: { ...text("apiVersion"), type: "string" },
    kind: { ...text("kind"), type: "string" },
    metadata: wrapped,
  };
}

export function extensions({ group, version, custom, own }: ServedResource, kind: string): OpenAPISchema {
  const fields = (custom ?? own)?.selectableFields ?? [];
  return {
    "x-kubernetes-group-version-kind": [{ group, kind, version }],
    ...(fields.length > 0
      ? { "x-kubernetes-selectable-fields": fields.map((path) => ({ fieldPath: path.replace(/^\./, "") })) }
      : {}),
  };
}
