/** What a client asks of the endpoint that serves a past revision. */
export interface AskedRequest {
  readonly method: string;
  /** As it was sent, percent-encoded. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
}

export type PastRequest =
  /** Not about objects: discovery, OpenAPI, version. */
  | { readonly do: "pass" }
  | { readonly do: "list"; readonly query: readonly (readonly [string, string])[] }
  /** Kubernetes has no GET of the past, but lists of it. */
  | {
      readonly do: "get";
      readonly path: string;
      readonly name: string;
      readonly resource: string;
      readonly query: readonly (readonly [string, string])[];
    }
  | { readonly do: "refuse"; readonly message: string };

/** A continue token would be of the present, and so there are no pages. */
const dropped = new Set(["limit", "continue", "resourceVersion", "resourceVersionMatch", "watch", "fieldSelector"]);

/** Pure: which question of the present server answers one about the past. */
export function planPastRequest({ method, path, query }: AskedRequest, revision: number): PastRequest {
  if (method !== "GET" && method !== "HEAD") return { do: "refuse", message: "the past cannot be changed" };
  const rest = resourceParts(path);
  if (rest === undefined) return { do: "pass" };
  const value = (name: string): string => query.find(([each]) => each === name)?.[1] ?? "";
  if (/^(true|1)$/.test(value("watch")))
    return { do: "refuse", message: "the past does not change: leave out --watch" };
  const [resource = "", name, subresource] = rest;
  if (subresource !== undefined) return { do: "refuse", message: "only objects can be read as they were" };
  const select = (fields: string): [string, string][] => [
    ...query.filter(([each]) => !dropped.has(each)).map(([each, text]): [string, string] => [each, text]),
    ...(fields === "" ? [] : [["fieldSelector", fields] as [string, string]]),
    ["resourceVersion", String(revision)],
    ["resourceVersionMatch", "Exact"],
  ];
  if (name === undefined) return { do: "list", query: select(value("fieldSelector")) };
  return {
    do: "get",
    path: path.slice(0, path.lastIndexOf("/")),
    name: decodeURIComponent(name),
    resource,
    query: select(`metadata.name=${decodeURIComponent(name)}`),
  };
}

/** Resource, name and subresource; undefined: the path is of none, or of the history itself. */
function resourceParts(path: string): string[] | undefined {
  const parts = path.split("/").filter((part) => part !== "");
  const rest = parts[0] === "api" ? parts.slice(2) : parts[0] === "apis" ? parts.slice(3) : [];
  if (rest.length === 0 || parts[1] === "history.coxswain.dev") return undefined;
  const isInNamespace = rest[0] === "namespaces" && rest.length > 2;
  const isOfNamespace = rest.length === 3 && (rest[2] === "status" || rest[2] === "finalize");
  return isInNamespace && !isOfNamespace ? rest.slice(2) : rest;
}
