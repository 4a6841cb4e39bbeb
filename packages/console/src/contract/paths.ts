import type { ObjectRef } from "./messages.js";

export interface Place {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
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
  { group, version, resource }: Pick<Place, "group" | "version" | "resource">,
  { namespace = "", name = "" }: { readonly namespace?: string | undefined; readonly name?: string | undefined } = {},
): ObjectRef => ({ group, version, resource, namespace, name });

/** `apps/v1/deployments`, the form that links have. */
export const resourceKey = ({ group, version, resource }: Pick<Place, "group" | "version" | "resource">): string =>
  group === "" ? `${version}/${resource}` : `${group}/${version}/${resource}`;

/** `deploy/web` as kubectl takes it. */
export const kubectlName = ({ group, resource, name }: Pick<ObjectRef, "group" | "resource" | "name">): string =>
  `${group === "" ? resource : `${resource}.${group}`}/${name}`;
