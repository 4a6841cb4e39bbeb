import type { ApiRequest } from "../../request/request.js";

export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** They are about one connection, not about the message. */
const hopByHop = new Set([
  "connection",
  "proxy-connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The caller's identity is for this server only: no backend may use its credentials, or trust a name that a client made up. */
const isCredential = (name: string): boolean =>
  name === "authorization" ||
  name.startsWith("impersonate-") ||
  name === "x-remote-user" ||
  name === "x-remote-uid" ||
  name === "x-remote-group" ||
  name.startsWith("x-remote-extra-");

/** A token may stand among the WebSocket protocols, where browsers cannot set headers. */
const tokenProtocol = "base64url.bearer.authorization.k8s.io.";

/** What a request's headers become on their way to another server. */
export function forwardedHeaders(request: ApiRequest, mode: "message" | "upgrade"): [string, string][] {
  const lines = linesOf(request).flatMap(([name, value]): [string, string][] => {
    const lower = name.toLowerCase();
    if (isCredential(lower) || lower === forwardedFor || lower === "expect") return [];
    if (lower === "sec-websocket-protocol") return withoutToken(name, value);
    return [[name, value]];
  });
  if (mode === "upgrade") return [...lines, ...wayOf(request, request.header(forwardedFor))];
  const named = namedByConnection(request);
  // A client may keep the way so far to itself, but not its own address (`httputil.ReverseProxy` adds that last).
  const before = named.has(forwardedFor) ? undefined : request.header(forwardedFor);
  return [...withoutHops(lines, named, request), ...wayOf(request, before)];
}

const forwardedFor = "x-forwarded-for";

function wayOf({ caller }: ApiRequest, before: string | undefined): [string, string][] {
  const from = caller.via === "socket" ? caller.remoteAddress : "";
  const way = [...(before === undefined ? [] : [before]), ...(from === "" ? [] : [from])].join(", ");
  return way === "" ? [] : [["X-Forwarded-For", way]];
}

/** The headers that a client declares to be about its connection. */
const namedByConnection = (request: ApiRequest): ReadonlySet<string> =>
  new Set(
    (request.header("connection") ?? "")
      .toLowerCase()
      .split(",")
      .map((name) => name.trim()),
  );

function withoutToken(name: string, value: string): [string, string][] {
  const left = value
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "" && !one.startsWith(tokenProtocol));
  return left.length === 0 ? [] : [[name, left.join(", ")]];
}

function withoutHops(lines: HeaderLines, named: ReadonlySet<string>, request: ApiRequest): [string, string][] {
  const takesTrailers = (request.header("te") ?? "")
    .toLowerCase()
    .split(",")
    .some((value) => value.trim() === "trailers");
  const kept = lines
    .filter(([name]) => !hopByHop.has(name.toLowerCase()) && !named.has(name.toLowerCase()))
    .map(([name, value]): [string, string] => [name, value]);
  return takesTrailers ? [...kept, ["Te", "trailers"]] : kept;
}

function linesOf(request: ApiRequest): HeaderLines {
  if (request.wire) return request.wire.headerLines();
  return [...request.headerNames()].map((name) => [name, request.header(name) ?? ""]);
}

/** Another server's headers as an answer of ours carries them: names in lower case, without those about its connection. */
export function answerHeaders(
  headers: Readonly<Record<string, readonly string[] | undefined>>,
): Record<string, string | string[]> {
  const named = new Set(
    (headers.connection ?? [])
      .join(",")
      .toLowerCase()
      .split(",")
      .map((name) => name.trim()),
  );
  const kept = Object.entries(headers).flatMap(([name, values]): [string, string | string[]][] =>
    values === undefined || hopByHop.has(name) || named.has(name)
      ? []
      : [[name, values.length === 1 ? (values[0] ?? "") : [...values]]],
  );
  return Object.fromEntries(kept);
}

const corsHeaders = new Set([
  "access-control-allow-credentials",
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-allow-origin",
]);

/** Which pages may read an answer is this server's decision. */
export const withoutCors = (headers: Readonly<Record<string, string | string[]>>): Record<string, string | string[]> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !corsHeaders.has(name)));
