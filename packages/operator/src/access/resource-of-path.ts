import type { ResourcePath } from "@coxswain/client/rest";

/** Parts of a namespace that are no resources in it. */
const partsOfNamespaces = new Set(["status", "finalize"]);

/** The resource that a path of the API leads to: what `resourcePath` makes, read back. Undefined for other paths. */
export function resourceOfPath(path: string): ResourcePath | undefined {
  const [, root, ...rest] = path.split("/");
  if (root !== "api" && root !== "apis") return undefined;
  const group = root === "api" ? "" : rest.shift();
  const [version, ...at] = rest;
  if (group === undefined || version === undefined || at.length === 0) return undefined;
  const inNamespace =
    at[0] === "namespaces" && at.length > 2 && !(at.length === 3 && partsOfNamespaces.has(at[2] as string));
  const namespace = inNamespace ? decodeURIComponent(at[1] as string) : undefined;
  const [resource, name, subresource] = inNamespace ? at.slice(2) : at;
  if (resource === undefined) return undefined;
  return {
    group,
    version,
    resource,
    namespace,
    name: name === undefined ? undefined : decodeURIComponent(name),
    subresource,
  };
}
