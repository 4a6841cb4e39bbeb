import {
  bearerToken,
  customDocumentInfo,
  type DocumentSources,
  describeNothing,
  documentInfo,
} from "../document-sources.js";
import { groupByPath, type PathRoutes } from "../routes/group-by-path.js";
import type { BodyType, Route, RouteParameter, RouteResponse } from "../routes/route.js";
import { collectSchemas } from "../schemas/collect-schemas.js";
import { describedSchemas } from "../schemas/described-schemas.js";
import type { Dialect, OpenAPISchema } from "../schemas/openapi-schema.js";
import { clientGroupVersions } from "../schemas/scheme-group-versions.js";
import type { ServedResource } from "../served-resource.js";

export interface OpenAPIV3Document {
  openapi: "3.0.0";
  info: { title: string; version: string };
  paths: Record<string, unknown>;
  components: { schemas?: Record<string, OpenAPISchema>; securitySchemes?: Record<string, unknown> };
}

export interface RoutedResources {
  readonly routes: readonly Route[];
  /** The resources that the routes belong to: all of one group-version, and all built-in or all custom. */
  readonly resources: readonly ServedResource[];
}

/** Writes routes as OpenAPI 3, with every type that they name. */
export function writeOpenAPIV3({ routes, resources }: RoutedResources, sources: DocumentSources): OpenAPIV3Document {
  const dialect: Dialect = {
    refPrefix: "#/components/schemas/",
    v3: true,
    describe: sources.describe ?? describeNothing,
  };
  const writer = createWriter(dialect);
  const paths = Object.fromEntries(groupByPath(routes).map((path) => [path.path, writer.path(path)]));
  const isCustom = resources.some(({ custom }) => custom);
  const described = describedSchemas(resources, dialect);
  const collected = collectSchemas([...writer.usedTypes(), ...described.refersTo], {
    types: sources.types,
    dialect,
    groupVersions: isCustom ? clientGroupVersions : resources.slice(0, 1),
    known: described.schemas,
  });
  const schemas = Object.fromEntries(
    [...Object.entries(collected), ...described.schemas].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return {
    openapi: "3.0.0",
    info: isCustom ? customDocumentInfo : documentInfo,
    paths,
    components: {
      ...(Object.keys(schemas).length > 0 ? { schemas } : {}),
      ...(isCustom ? {} : { securitySchemes: { BearerToken: bearerToken } }),
    },
  };
}

/** The same parts occur hundreds of times in a document; each is made once and shared. */
function createWriter(dialect: Dialect) {
  const used = new Set<string>();
  const contents = new Map<string, unknown>();
  const parameters = new Map<RouteParameter, unknown>();

  function bodySchema(type: BodyType): OpenAPISchema {
    if (!("ref" in type)) return { type: type.type };
    used.add(type.ref);
    return { $ref: dialect.refPrefix + type.ref };
  }

  function content(mediaTypes: readonly string[], type: BodyType): unknown {
    const key = `${mediaTypes.join()} ${"ref" in type ? type.ref : ""}`;
    let made = contents.get(key);
    if (made === undefined) {
      const schema = bodySchema(type);
      made = Object.fromEntries([...mediaTypes].sort().map((mediaType) => [mediaType, { schema }]));
      contents.set(key, made);
    }
    return made;
  }

  function parameter(of: RouteParameter): unknown {
    let made = parameters.get(of);
    if (made === undefined) {
      made = {
        name: of.name,
        in: of.in,
        ...(of.description === undefined ? {} : { description: of.description }),
        ...(of.in === "path" ? { required: true } : {}),
        schema: { type: of.type, uniqueItems: true },
      };
      parameters.set(of, made);
    }
    return made;
  }

  const response = ({ description, body }: RouteResponse, produces: readonly string[]): unknown =>
    body === undefined ? { description } : { description, content: content(produces, body) };

  function operation(route: Route, own: readonly RouteParameter[]): unknown {
    const { body, kind } = route;
    return {
      tags: [route.tag],
      description: route.description,
      operationId: route.operationId,
      ...(own.length > 0 ? { parameters: own.map(parameter) } : {}),
      ...(body
        ? { requestBody: { content: content(route.consumes, body.type), ...(body.required ? { required: true } : {}) } }
        : {}),
      responses: Object.fromEntries(route.responses.map((answer) => [answer.code, response(answer, route.produces)])),
      ...(kind
        ? {
            "x-kubernetes-action": route.action,
            "x-kubernetes-group-version-kind": { group: kind.group, version: kind.version, kind: kind.kind },
          }
        : {}),
    };
  }

  return {
    usedTypes: (): ReadonlySet<string> => used,
    path: ({ operations, parameters: common }: PathRoutes): unknown => ({
      ...Object.fromEntries(operations.map((each) => [each.method, operation(each.route, each.parameters)])),
      ...(common.length > 0 ? { parameters: common.map(parameter) } : {}),
    }),
  };
}
