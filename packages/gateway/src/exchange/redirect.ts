import type { RedirectPorts } from "../engine/engine.js";
import type { PathChange, RequestRedirect } from "../objects/gateway-objects.js";

/** The path, with its query left alone, after `ReplaceFullPath` or `ReplacePrefixMatch`. */
export function changePath(path: string, matchedPrefix: string, change: PathChange | undefined): string {
  if (change === undefined) return path;
  if (change.type === "ReplaceFullPath") return change.replaceFullPath || "/";
  const replacement = (change.replacePrefixMatch ?? "").replace(/\/$/, "");
  const changed = replacement + path.slice(matchedPrefix.length);
  return changed.startsWith("/") ? changed : `/${changed}`;
}

export interface RedirectedRequest {
  readonly scheme: string;
  /** Of the Host header, without a port. */
  readonly host: string;
  /** Where the request arrived. */
  readonly port: number;
  readonly path: string;
  readonly query: string;
  readonly matchedPrefix: string;
  readonly redirectPorts: RedirectPorts;
}

export interface Redirect {
  readonly status: number;
  readonly location: string;
}

const knownPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

/**
 * The answer of a RequestRedirect filter. Its port is the filter's; with a scheme of its own that scheme's; else the listener's. It is
 * left out where it is the scheme's own (HTTPRequestRedirectFilter.port).
 */
export function planRedirect(
  request: RedirectedRequest,
  { scheme, hostname, path, port, statusCode = 302 }: RequestRedirect,
): Redirect {
  const to = scheme ?? request.scheme;
  const number = port ?? (scheme === undefined ? request.port : portOf(scheme, request.redirectPorts));
  const suffix = number === undefined || number === knownPorts[to] ? "" : `:${number}`;
  const query = request.query === "" ? "" : `?${request.query}`;
  const changed = changePath(request.path, request.matchedPrefix, path);
  return { status: statusCode, location: `${to}://${hostname ?? request.host}${suffix}${changed}${query}` };
}

const portOf = (scheme: string, { http, https }: RedirectPorts): number | undefined =>
  scheme === "http" ? http : scheme === "https" ? https : undefined;
