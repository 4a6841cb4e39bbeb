import { trimOf } from "@coxswain/apimachinery/text";

/** What a request is about, read from its method and path alone. */
export interface RequestInfo {
  readonly isResource: boolean;
  /** The path begins like one of a resource and then names neither a kind nor a namespace (`/api/v1/watch`). */
  readonly isUnclear?: true;
  /** Decoded. */
  readonly path: string;
  /** get, list, watch, create, update, patch, delete, deletecollection, proxy; for other paths the method in lower case. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  /** The path leads through a namespace, which may be "" (`/api/v1/namespaces//pods`); that of the namespace itself does not. */
  readonly inNamespace: boolean;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** The rest of the path from the resource on. */
  readonly parts: readonly string[];
}

const verbOfMethod: Readonly<Record<string, string>> = {
  POST: "create",
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** What may follow a namespace's name without being a resource in it. */
const namespaceSubresources = new Set(["status", "finalize"]);

/** Verbs that old clients put into the path. */
const pathVerbs = new Set(["proxy", "watch"]);

/** `isWatch`: the query asks for a watch. */
export function readRequestInfo(method: string, path: string, isWatch: boolean): RequestInfo {
  const parts = trimOf(path, "/").split("/");
  const grouped = parts[0] === "apis";
  if ((!grouped && parts[0] !== "api") || parts.length < (grouped ? 4 : 3)) return nonResource(method, path);
  const group = grouped ? (parts[1] ?? "") : "";
  const version = parts[grouped ? 2 : 1] ?? "";
  let rest = parts.slice(grouped ? 3 : 2);
  let verb = verbOfMethod[method] ?? "";
  const pathVerb = pathVerbs.has(rest[0] ?? "") ? (rest[0] ?? "") : "";
  if (pathVerb !== "") {
    if (rest.length < 2) return { ...nonResource(method, path), isUnclear: true };
    verb = pathVerb;
    rest = rest.slice(1);
  }
  let namespace = "";
  let inNamespace = false;
  if (rest[0] === "namespaces" && rest.length > 1) {
    namespace = rest[1] ?? "";
    inNamespace = rest.length > 2 && !namespaceSubresources.has(rest[2] ?? "");
    if (inNamespace) rest = rest.slice(2);
  }
  const name = rest[1] ?? "";
  if (name === "" && verb === "get") verb = isWatch ? "watch" : "list";
  if (name === "" && verb === "delete") verb = "deletecollection";
  const subresource = pathVerb === "" ? (rest[2] ?? "") : "";
  return {
    isResource: true,
    path,
    verb,
    group,
    version,
    namespace,
    inNamespace,
    resource: rest[0] ?? "",
    subresource,
    name,
    parts: rest,
  };
}

export function nonResource(method: string, path: string): RequestInfo {
  return {
    isResource: false,
    path,
    verb: method.toLowerCase(),
    group: "",
    version: "",
    namespace: "",
    inNamespace: false,
    resource: "",
    subresource: "",
    name: "",
    parts: [],
  };
}
