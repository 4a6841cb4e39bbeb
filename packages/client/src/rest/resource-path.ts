import type { GroupVersionResource } from "@coxswain/apimachinery/meta";

/** One resource, of all namespaces, one namespace or the cluster; with a name one object of it, or a part of that. */
export interface ResourcePath extends GroupVersionResource {
  /** Undefined: the cluster's, or those of all namespaces. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** `/apis/apps/v1/namespaces/default/deployments/web/scale`. Names are checked: one with a slash would be another path. */
export function resourcePath({ group, version, resource, namespace, name, subresource }: ResourcePath): string {
  let path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  if (namespace !== undefined) path += `/namespaces/${segment(namespace, "namespace")}`;
  path += `/${resource}`;
  if (name !== undefined) path += `/${segment(name, "name")}`;
  if (subresource !== undefined) path += `/${subresource}`;
  return path;
}

/** An empty name would turn a request for one object into one for all of them, a DELETE included. */
function segment(value: string, what: string): string {
  if (value === "") throw new TypeError(`the ${what} of the object is empty`);
  if (value === "." || value === ".." || /[/%]/.test(value))
    throw new TypeError(
      `${JSON.stringify(value)} is no ${what} of an object: it may not be "." or ".." or contain "/" or "%"`,
    );
  return encodeURIComponent(value);
}
