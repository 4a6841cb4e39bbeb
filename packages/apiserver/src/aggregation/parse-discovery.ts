import type { APIResourceDiscovery } from "../documents/discovery/aggregated.js";
import { asArray, asObject, asText, asTexts } from "./untrusted-json.js";

/** A backend's own discovery: the resources of its group-versions, by `group/version`. */
export type DiscoveredVersions = ReadonlyMap<string, readonly APIResourceDiscovery[]>;

export const versionKey = (group: string, version: string): string => `${group}/${version}`;

const noKind = { group: "", version: "", kind: "" };

/** Reads an APIGroupDiscoveryList (v2, or v2beta1, which has the same members). What does not fit is left out. */
export function parseAggregated(document: unknown): DiscoveredVersions {
  const found = new Map<string, readonly APIResourceDiscovery[]>();
  for (const group of asArray(asObject(document).items)) {
    const name = asText(asObject(asObject(group).metadata).name);
    for (const version of asArray(asObject(group).versions)) {
      const { version: versionName, resources } = asObject(version);
      found.set(versionKey(name, asText(versionName)), asArray(resources).map(resourceOf));
    }
  }
  return found;
}

function resourceOf(value: unknown): APIResourceDiscovery {
  const resource = asObject(value);
  const shortNames = asTexts(resource.shortNames);
  const categories = asTexts(resource.categories);
  const subresources = asArray(resource.subresources).map((each) => {
    const { subresource, responseKind, verbs } = asObject(each);
    return { subresource: asText(subresource), responseKind: kindOf(responseKind), verbs: asTexts(verbs) };
  });
  return {
    resource: asText(resource.resource),
    responseKind: kindOf(resource.responseKind),
    scope: resource.scope === "Namespaced" ? "Namespaced" : "Cluster",
    singularResource: asText(resource.singularResource),
    verbs: asTexts(resource.verbs),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}

/** Old clients fail where it is missing (kubernetes/kubernetes#118361). */
function kindOf(value: unknown): APIResourceDiscovery["responseKind"] {
  const { group, version, kind } = asObject(value);
  return value === undefined ? noKind : { group: asText(group), version: asText(version), kind: asText(kind) };
}

/** Reads an APIResourceList, of servers that know no other form. @throws Error for a subresource in another scope than its resource */
export function parseLegacy(document: unknown): APIResourceDiscovery[] {
  const listed = asArray(asObject(document).resources).map(asObject);
  const isSubresource = ({ name }: (typeof listed)[number]): boolean => asText(name).includes("/");
  const found = new Map<string, APIResourceDiscovery>();
  for (const each of listed)
    if (!isSubresource(each))
      found.set(asText(each.name), {
        ...resourceOf({ ...each, resource: each.name, singularResource: each.singularName, subresources: undefined }),
        responseKind: kindOf(each),
        scope: scopeOf(each),
      });
  for (const each of listed.filter(isSubresource)) {
    const [parentName = "", ...rest] = asText(each.name).split("/");
    const scope = scopeOf(each);
    let parent = found.get(parentName);
    if (!parent) {
      parent = { resource: parentName, responseKind: noKind, scope, singularResource: "", verbs: [] };
      found.set(parentName, parent);
    }
    if (parent.scope !== scope)
      throw new Error(
        `Error: Parent ${parentName} (scope: ${parent.scope}) and subresource ${rest.join("/")} (scope: ${scope}) scope do not match`,
      );
    (parent.subresources ??= []).push({
      subresource: rest.join("/"),
      responseKind: asText(each.kind) === "" ? noKind : kindOf(each),
      verbs: asTexts(each.verbs),
    });
  }
  return [...found.values()];
}

const scopeOf = ({ namespaced }: Readonly<Record<string, unknown>>): APIResourceDiscovery["scope"] =>
  namespaced === true ? "Namespaced" : "Cluster";
