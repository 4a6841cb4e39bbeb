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
  [".well-known/openid-configuration", openIDConfigurationRoute],
  ["api", coreVersionsRoute],
  ["apis", groupsRoute],
  ["openid/v1/jwks", openIDKeysRoute],
  ["version", versionRoute],
]);

/** The names of all documents ("api/v1", "apis/apps", "apis/apps/v1", "version", …), sorted. The document's path is `/openapi/v3/<name>`. */
export function openAPIV3Names(resources: readonly ServedResource[]): string[] {
  const names = new Set(rootDocuments.keys());
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
  return [name, ...own.map((resource) => `${resource.resource} ${resource.custom ? customHash(resource) : ""}`)].join(
    "\n",
  );
}

const customHashes = new WeakMap<object, string>();

/** A custom resource's facts are made anew whenever its definition changes. */
function customHash({ custom, kind, listKind, namespaced, verbs, subresources }: ServedResource): string {
  const key = custom as object;
  let hash = customHashes.get(key);
  if (hash === undefined) {
    hash = documentHash(JSON.stringify({ custom, kind, listKind, namespaced, verbs, subresources }));
    customHashes.set(key, hash);
  }
  return hash;
}

/** The document of that name, or undefined. `resources` are all that are served; the work is proportional to those named. */
export function openAPIV3Document(
  name: string,
  resources: readonly ServedResource[],
  sources: DocumentSources,
): OpenAPIV3Document | undefined {
  const root = rootDocuments.get(name);
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
