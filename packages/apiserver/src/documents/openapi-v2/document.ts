import { groupVersionsOf } from "../discovery/group-versions.js";
import { bearerToken, type DocumentSources, describeNothing, documentInfo } from "../document-sources.js";
import { groupByPath, type PathRoutes } from "../routes/group-by-path.js";
import { createParameterSource } from "../routes/option-parameters.js";
import { resourceRoutes } from "../routes/resource-routes.js";
import {
  coreVersionsRoute,
  groupRoute,
  groupsRoute,
  groupVersionRoute,
  openIDConfigurationRoute,
  openIDKeysRoute,
  versionRoute,
} from "../routes/root-routes.js";
import type { Route } from "../routes/route.js";
import { collectSchemas } from "../schemas/collect-schemas.js";
import { describedSchemas } from "../schemas/described-schemas.js";
import type { Dialect, OpenAPISchema } from "../schemas/openapi-schema.js";
import { schemeGroupVersions } from "../schemas/scheme-group-versions.js";
import type { ServedResource } from "../served-resource.js";
import { createOperationWriter } from "./operation-writer.js";
import type { WrittenParameter } from "./shared-parameters.js";

export interface OpenAPIV2Document {
  swagger: "2.0";
  info: { title: string; version: string };
  paths: Record<string, unknown>;
  definitions: Record<string, OpenAPISchema>;
  parameters: Record<string, WrittenParameter>;
  securityDefinitions: Record<string, unknown>;
  security: Record<string, string[]>[];
}

/** One document for the whole API. It takes tens of milliseconds: on a shared event loop add group-versions one at a time. */
export interface OpenAPIV2Builder {
  /** All resources of one group-version. */
  add(resources: readonly ServedResource[]): void;
  finish(): OpenAPIV2Document;
}

export function createOpenAPIV2Builder(sources: DocumentSources): OpenAPIV2Builder {
  const describe = sources.describe ?? describeNothing;
  const dialect: Dialect = { refPrefix: "#/definitions/", v3: false, describe };
  const parameterSource = createParameterSource(sources.types, describe);
  const writer = createOperationWriter(dialect);
  const paths: [string, unknown][] = [];
  const definitions = new Map<string, OpenAPISchema>();
  const groups = new Set<string>();

  function write(routes: readonly Route[], resources: readonly ServedResource[]): void {
    for (const path of groupByPath(routes)) paths.push([path.path, writePath(path)]);
    const described = describedSchemas(resources, dialect);
    for (const [name, schema] of described.schemas) definitions.set(name, schema);
    const options = { types: sources.types, dialect, groupVersions: schemeGroupVersions, known: definitions };
    const collected = collectSchemas([...writer.takeUsedTypes(), ...described.refersTo], options);
    for (const [name, schema] of Object.entries(collected)) definitions.set(name, schema);
  }

  const writePath = ({ operations, parameters }: PathRoutes): unknown => ({
    ...Object.fromEntries(operations.map((each) => [each.method, writer.operation(each.route, each.parameters)])),
    ...(parameters.length > 0 ? { parameters: parameters.map(writer.parameter) } : {}),
  });

  write([openIDConfigurationRoute, openIDKeysRoute, versionRoute, coreVersionsRoute, groupsRoute], []);
  return {
    add(resources) {
      const routes = resources.flatMap((resource) => resourceRoutes(resource, parameterSource));
      const builtIn = resources.find((resource) => !resource.custom);
      if (builtIn) {
        routes.push(groupVersionRoute(builtIn));
        if (builtIn.group !== "" && !groups.has(builtIn.group)) routes.push(groupRoute(builtIn.group));
        groups.add(builtIn.group);
      }
      write(routes, resources);
    },
    finish: () => ({
      swagger: "2.0",
      info: documentInfo,
      paths: sortedObject(paths),
      definitions: sortedObject(definitions),
      parameters: sortedObject(writer.sharedParameters()),
      securityDefinitions: { BearerToken: bearerToken },
      security: [{ BearerToken: [] }],
    }),
  };
}

/** The whole document at once. */
export function openAPIV2Document(resources: readonly ServedResource[], sources: DocumentSources): OpenAPIV2Document {
  const builder = createOpenAPIV2Builder(sources);
  for (const list of groupVersionsOf(resources).values()) builder.add(list);
  return builder.finish();
}

function sortedObject<T>(entries: Iterable<[string, T]>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
