import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createDeflateRaw, createGunzip, createGzip, createInflateRaw } from "node:zlib";
import { serviceUnavailable } from "@coxswain/apimachinery/status";
import { untilStopped } from "../../endpoints/until-stopped.js";
import type { Answer } from "../../request/answer.js";
import { asksForUpgrade } from "../../request/client-websocket.js";
import type { RequestContext } from "../../request/request-context.js";
import { callBackend } from "./call-backend.js";
import { DialError } from "./dial-error.js";
import { answerHeaders, forwardedHeaders, withoutCors } from "./forwarded-headers.js";
import { handOnUpgrade } from "./hand-on-upgrade.js";
import { escapePath, hostOf, type Location } from "./location.js";
import { HtmlRewriter } from "./rewrite-html.js";
import { joinPaths, type ProxyView, rewriteUrl } from "./rewrite-url.js";
import type { StreamDeps } from "./stream-deps.js";

/** Hands a request on to a node, a pod or a service and its answer back, so that pages work although they are seen under another path. */
export async function proxyTo(
  deps: StreamDeps,
  context: RequestContext,
  target: Omit<Location, "path" | "query">,
): Promise<Answer> {
  const { request, info } = context;
  const subpath = subpathOf(context);
  // As upstream does it (k8s.io/apimachinery/pkg/util/proxy/upgradeaware.go, tryUpgrade), the query does not go with a change of protocols.
  if (asksForUpgrade(request) && request.wire?.upgrade)
    return handOnUpgrade(deps, context, { ...target, path: subpath, query: "" });
  const path = !subpath.endsWith("/") && info.path.endsWith("/") ? `${subpath}/` : subpath;
  if (path === "" && (request.method === "GET" || request.method === "HEAD")) return redirectToSlash(context);
  const location: Location = { ...target, path, query: request.query };
  const prefix = prefixOf(info.path, subpath);
  const headers = [
    ...forwardedHeaders(request, "message").filter(([name]) => name.toLowerCase() !== "x-forwarded-uri"),
    ["X-Forwarded-Uri", forwardedUri(prefix, path)] as const,
  ];
  const body = request.wire?.hasBody === true ? request.wire.openBody() : undefined;
  const signal = untilStopped(deps, context);
  const { response } = await callBackend({
    location,
    method: request.method,
    headers,
    body,
    signal,
    clock: deps.streams.runtime.ioClock,
    network: deps.streams.network,
    connections: deps.streams.connections,
  }).catch((err: unknown) => {
    throw err instanceof DialError ? serviceUnavailable(`error trying to reach service: ${err.message}`) : err;
  });
  return answerOf(response, {
    prefix,
    sourceHost: hostOf(location),
    requestHost: request.header("host") ?? request.header(":authority") ?? "",
  });
}

/** What stands behind `proxy` in the path, with its slashes. */
function subpathOf({ info }: RequestContext): string {
  const rest = info.parts.slice(3).join("/");
  const subpath = rest !== "" && !rest.startsWith("/") ? `/${rest}` : rest;
  return joinPaths("", info.path.endsWith("/") && !subpath.endsWith("/") ? `${subpath}/` : subpath);
}

function prefixOf(path: string, subpath: string): string {
  const suffix = path.endsWith("/") && !subpath.endsWith("/") ? `${subpath}/` : subpath;
  return path.endsWith(suffix) ? path.slice(0, path.length - suffix.length) : path;
}

function forwardedUri(prefix: string, path: string): string {
  const uri = joinPaths(prefix, escapePath(path)).replace(/\/$/, "");
  return path.endsWith("/") ? `${uri}/` : uri;
}

/** So that a page's relative links lead below it. */
function redirectToSlash({ request, info }: RequestContext): Answer {
  const query = request.query === "" ? "" : `?${request.query}`;
  return { as: "stream", code: 301, headers: { location: `${info.path}/${query}` }, body: undefined };
}

function answerOf(response: IncomingMessage, view: ProxyView): Answer {
  const headers = withoutCors(answerHeaders(response.headersDistinct));
  const code = response.statusCode ?? 502;
  const { location, "content-type": type = "", "content-encoding": encoding = "" } = response.headers;
  if (location !== undefined) headers.location = rewriteUrl(location, view);
  const rewriting =
    location === undefined && type.split(";")[0]?.trim() === "text/html"
      ? rewriteBody(response, encoding, view)
      : undefined;
  if (rewriting) delete headers["content-length"];
  const hasBody = code !== 204 && code !== 304;
  if (!hasBody) response.resume();
  return { as: "stream", code, headers, body: hasBody ? (rewriting ?? response) : undefined };
}

/** Undefined for an encoding that is not known: links in it stay as they are. */
function rewriteBody(response: IncomingMessage, encoding: string, view: ProxyView): Readable | undefined {
  const rewriter = new HtmlRewriter((url) => rewriteUrl(url, view));
  if (encoding === "") return through(response, [rewriter]);
  if (encoding === "gzip") return through(response, [createGunzip(), rewriter, createGzip()]);
  if (encoding === "deflate") return through(response, [createInflateRaw(), rewriter, createDeflateRaw()]);
  return undefined;
}

/** What comes out last; whatever fails or is cut on the way fails or cuts all. */
function through(source: Readable, steps: readonly Transform[]): Readable {
  pipeline([source, ...steps], () => undefined);
  return steps.at(-1) ?? source;
}
