import type { RequestInfo } from "./request-info.js";

/** Subresources that connect a client to something behind the server. */
export const connectingSubresources: ReadonlySet<string> = new Set(["attach", "exec", "proxy", "log", "portforward"]);

/** Watches, and connections to something behind the server, last as long as they are wanted: no deadline and no limit is for them. */
export function isLongRunning({ isResource, verb, subresource, path }: RequestInfo): boolean {
  if (verb === "watch" || verb === "proxy") return true;
  return isResource ? connectingSubresources.has(subresource) : path.startsWith("/debug/pprof/");
}
