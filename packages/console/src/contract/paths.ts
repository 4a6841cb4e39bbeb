import type { ObjectRef, ResourceName } from "./messages.js";

export interface Place extends ResourceName {
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

/** The path of a resource, an object or a subresource. */
export function pathOf({ group, version, resource, namespace = "", name = "", subresource = "" }: Place): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = namespace === "" ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  const tail = name === "" ? "" : `/${encodeURIComponent(name)}`;
  return `${root}${scope}/${resource}${tail}${subresource === "" ? "" : `/${subresource}`}`;
}

/** An object of a resource. */
export const refTo = (
  { group, version, resource }: ResourceName,
  { namespace = "", name = "" }: { readonly namespace?: string | undefined; readonly name?: string | undefined } = {},
): ObjectRef => ({ group, version, resource, namespace, name });

/** `apps/v1/deployments`, the form that links have. */
export const resourceKey = ({ group, version, resource }: ResourceName): string =>
  group === "" ? `${version}/${resource}` : `${group}/${version}/${resource}`;

/** The address of an object's view. */
export const objectLink = ({ namespace = "", name = "", ...place }: Place): string =>
  `#/o/${resourceKey(place)}/${namespace === "" ? "_" : encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;

/** `pods`, `deployments.apps`: as kubectl takes it. */
export const nameOf = ({ group, resource }: Pick<Place, "group" | "resource">): string =>
  group === "" ? resource : `${resource}.${group}`;

/** Pure: names that commas or blanks part. */
export const namesIn = (text: string): string[] => text.split(/[\s,]+/).filter((name) => name !== "");

/** `deploy/web` as kubectl takes it. */
export const kubectlName = (ref: Pick<ObjectRef, "group" | "resource" | "name">): string =>
  `${nameOf(ref)}/${ref.name}`;
