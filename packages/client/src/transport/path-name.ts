/**
 * Which resource and object a path of the API names; undefined for other paths (`/version`). For messages only.
 * `/api/v1/namespaces/default/pods/web/log` is the pod "web".
 */
export function nameInPath(path: string): { group: string; resource: string; name: string } | undefined {
  const parts = path.split("/").filter((part) => part !== "");
  const start = parts.findIndex((part) => part === "api" || part === "apis");
  if (start < 0) return undefined;
  const isCore = parts[start] === "api";
  const group = isCore ? "" : (parts[start + 1] ?? "");
  const rest = parts.slice(start + (isCore ? 2 : 3));
  // A path below a namespace names what is in it, unless it ends there or goes on with a subresource of the namespace.
  const inNamespace = rest[0] === "namespaces" && rest.length > 2 && rest[2] !== "status" && rest[2] !== "finalize";
  const [resource, name = ""] = inNamespace ? rest.slice(2) : rest;
  return resource === undefined ? undefined : { group, resource, name: decodeName(name) };
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
