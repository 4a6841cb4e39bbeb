import type { OpenAPIV3Document } from "../openapi-v3/document.js";
import { mapReferences } from "./merge.js";

type Members = Readonly<Record<string, unknown>>;

const methods = ["get", "put", "post", "delete", "options", "head", "patch"];

/** An OpenAPI 2 document in OpenAPI 3, as far as kube-openapi converts it: for servers that have no other. */
export function openAPIV3OfV2(document: {
  readonly info?: unknown;
  readonly paths: Members;
  readonly definitions: Members;
  readonly securityDefinitions?: unknown;
}): OpenAPIV3Document {
  const { info, paths, definitions, securityDefinitions } = document;
  const converted = {
    openapi: "3.0.0",
    info: info ?? { title: "", version: "" },
    paths: mapMembers(paths, pathItem),
    components: {
      schemas: mapMembers(definitions, wrapReferences),
      ...(securityDefinitions === undefined ? {} : { securitySchemes: securityDefinitions }),
    },
  };
  return mapReferences(converted, (ref) =>
    ref
      .replace("#/definitions/", "#/components/schemas/")
      .replace("#/parameters/", "#/components/parameters/")
      .replace("#/responses/", "#/components/responses/"),
  ) as OpenAPIV3Document;
}

function pathItem(item: Members): Members {
  const { parameters, ...rest } = item;
  return {
    ...mapEntries(rest, (name, value) => (methods.includes(name) ? operation(value as Members) : value)),
    ...(parameters === undefined ? {} : { parameters: (parameters as Members[]).map(parameter) }),
  };
}

function operation({
  consumes,
  produces,
  schemes: _schemes,
  parameters = [],
  responses = {},
  ...rest
}: Members): Members {
  const all = parameters as readonly Members[];
  const body = all.find(({ name, schema }) => name === "body" && schema !== undefined);
  const others = all.filter((each) => each !== body);
  return {
    ...rest,
    ...(others.length > 0 ? { parameters: others.map(parameter) } : {}),
    ...(body ? { requestBody: { content: contentOf(consumes, body.schema) } } : {}),
    responses: mapMembers(responses as Members, ({ schema, ...response }) => ({
      ...response,
      ...(schema === undefined ? {} : { content: contentOf(produces, schema) }),
    })),
  };
}

const contentOf = (types: unknown, schema: unknown): Members =>
  Object.fromEntries(
    ((types ?? []) as readonly string[]).map((type) => [type, { schema: wrapReferences(schema as Members) }]),
  );

function parameter(of: Members): Members {
  if (of.$ref !== undefined) return of;
  const { type, format, uniqueItems, schema, ...rest } = of;
  return {
    ...rest,
    schema: schema ?? {
      type,
      ...(format === undefined ? {} : { format }),
      ...(uniqueItems === undefined ? {} : { uniqueItems }),
    },
  };
}

/** In OpenAPI 3 nothing may stand beside a `$ref`: it goes into an `allOf`. */
function wrapReferences(schema: Members): Members {
  const walked = mapEntries(schema, (name, value) => {
    if (name === "properties") return mapMembers(value as Members, wrapReferences);
    return (name === "items" || name === "additionalProperties") && typeof value === "object" && !Array.isArray(value)
      ? wrapReferences(value as Members)
      : value;
  });
  const { $ref, ...rest } = walked;
  return $ref === undefined || Object.keys(rest).length === 0 ? walked : { ...rest, allOf: [{ $ref }] };
}

const mapMembers = (members: Members, map: (value: Members) => unknown): Members =>
  mapEntries(members, (_, value) => map(value as Members));

const mapEntries = (members: Members, map: (name: string, value: unknown) => unknown): Members =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(name, value)]));
