import { connectingSubresources } from "../../request/long-running.js";
import type { RequestContext } from "../../request/request-context.js";

const known = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** The verb as upstream reports it (k8s.io/apiserver/pkg/endpoints/metrics/metrics.go, CleanVerb): the method, except that reads are distinguished, and unknown ones are "other". */
export function reportedVerb({ request, info }: RequestContext, scope: string): string {
  const { method } = request;
  if (info.isResource && connectingSubresources.has(info.subresource)) return "CONNECT";
  if (info.verb === "watch") return "WATCH";
  if (method === "GET" || method === "HEAD") return scope === "resource" || scope === "" ? "GET" : "LIST";
  if (method === "PATCH" && request.header("content-type") === "application/apply-patch+yaml") return "APPLY";
  return known.has(method) ? method : "other";
}

/** One object, those of a namespace, or those of the whole cluster; "" for what is no resource. */
export function scopeOf({ info: { isResource, name, namespace, verb } }: RequestContext): string {
  if (name !== "" || verb === "create") return "resource";
  if (namespace !== "") return "namespace";
  return isResource ? "cluster" : "";
}

/** "" for a request that is meant, "All" for one that is not. */
export function dryRunOf({ request, query }: RequestContext): string {
  if (!request.query.includes("dryRun")) return "";
  const values = query.all("dryRun");
  return values.every((value) => value === "All") ? [...new Set(values)].join(",") : "invalid";
}
