import { documentHash } from "../discovery/etag.js";
import { type DocumentSources, describeNothing } from "../document-sources.js";
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
import { rootPathOf, type ServedResource } from "../served-resource.js";
import { type OpenAPIV3Document, writeOpenAPIV3 } from "./document.js";

/** Documents about the server itself, by the name under which the index lists them. */
const rootDocuments: ReadonlyMap<string, Route> = new Map([
  ["apis", groupsRoute],
  ["version", versionRoute],
]);

/** The same of a server with the core group: a server of one's own has neither that nor service accounts. */
const coreDocuments: ReadonlyMap<string, Route> = new Map([
  ...rootDocuments,
  [".well-known/openid-configuration", openIDConfigurationRoute],
  ["api", coreVersionsRoute],
  ["openid/v1/jwks", openIDKeysRoute],
]);

const rootDocumentsOf = (resources: readonly ServedResource[]): ReadonlyMap<string, Route> =>
  resources.every(({ own }) => own) ? rootDocuments : coreDocuments;

/** The names of all documents ("api/v1", "apis/apps", "apis/apps/v1", "version", …), sorted. The document's path is `/openapi/v3/<name>`. */
export function openAPIV3Names(resources: readonly ServedResource[]): string[] {
  const names = new Set(rootDocumentsOf(resources).keys());
  for (const resource of resources) {
    names.add(rootPathOf(resource).slice(1));
    if (resource.group !== "" && !resource.custom) names.add(`apis/${resource.group}`);
  }
  return [...names].sort();
}

/**
 * Changes when the document of that name does: names what it is made of, without making it. The types of built-in
 * resources never change while a server runs.
 */
export function openAPIV3Hash(name: string, resources: readonly ServedResource[]): string {
  const own = resources.filter((resource) => rootPathOf(resource).slice(1) === name);
  return [name, ...own.map((resource) => `${resource.resource} ${schemaHash(resource)}`)].join("\n");
}

const schemaHashes = new WeakMap<object, string>();

/** Of a resource that a schema describes: its facts are made anew whenever that changes. */
function schemaHash({ custom, own, kind, listKind, namespaced, verbs, subresources }: ServedResource): string {
  const described = custom ?? (own && { schemas: [...own.schemas], selectableFields: own.selectableFields });
  const key = custom ?? own;
  if (!key) return "";
  let hash = schemaHashes.get(key);
  if (hash === undefined) {
    hash = documentHash(JSON.stringify({ custom: described, kind, listKind, namespaced, verbs, subresources }));
    schemaHashes.set(key, hash);
  }
  return hash;
}

/** The document of that name, or undefined. `resources` are all that are served; the work is proportional to those named. */
export function openAPIV3Document(
  name: string,
  resources: readonly ServedResource[],
  sources: DocumentSources,
): OpenAPIV3Document | undefined {
  const root = rootDocumentsOf(resources).get(name);
  if (root) return writeOpenAPIV3({ routes: [root], resources: [] }, sources);
  const [prefix, first = "", second, ...more] = name.split("/");
  if (more.length > 0 || (prefix !== "api" && prefix !== "apis")) return undefined;
  if (prefix === "apis" && second === undefined) {
    const isServed = resources.some((resource) => resource.group === first && !resource.custom);
    return isServed ? writeOpenAPIV3({ routes: [groupRoute(first)], resources: [] }, sources) : undefined;
  }
  const of = prefix === "api" ? { group: "", version: first } : { group: first, version: second! };
  const own = resources.filter((resource) => resource.group === of.group && resource.version === of.version);
  return own.length > 0
    ? writeOpenAPIV3({ routes: groupVersionRoutes(own, sources), resources: own }, sources)
    : undefined;
}

/** Every route of resources that share one group-version. */
function groupVersionRoutes(
  resources: readonly ServedResource[],
  { types, describe = describeNothing }: DocumentSources,
): Route[] {
  const builtIn = resources.find((resource) => !resource.custom);
  const source = createParameterSource(types, describe);
  return [
    ...(builtIn ? [groupVersionRoute(builtIn)] : []),
    ...resources.flatMap((resource) => resourceRoutes(resource, source)),
  ];
}
