import { parseGoAddress } from "./go-address.js";
import {
  type ByteString,
  escapeUrl,
  fromByteString,
  isEncoded,
  quoteByteString,
  toByteString,
  UrlError,
  unescapeUrl,
} from "./url-escape.js";

/** A URL's parts as Go takes them apart. */
export interface GoUrl {
  readonly scheme: string;
  /** With the port. */
  readonly host: string;
  /** Name and password; undefined where there is no "@". */
  readonly user: string | undefined;
  /** With its escapes. */
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
  /** The whole, written canonically. */
  readonly text: string;
}

/** Go's reading of a URL, or the error for one that it cannot parse. It takes almost anything. */
export function parseGoUrl(text: string): GoUrl | string {
  const whole = toByteString(text);
  const [before, after] = cut(whole, "#");
  const parts = attempt(before, () => parse(before, false));
  if (typeof parts === "string") return parts;
  const fragment = attempt(whole, () => readEncoded(after, "fragment"));
  return typeof fragment === "string" ? fragment : finish(parts, fragment);
}

/** Whether Go reads the text as that of a request: a whole URL, or a path from the root on. A "#" is nothing special in it. */
export const isRequestUri = (text: string): boolean => requestUriError(text) === undefined;

/** Go's error for a text that is not the URL of a request. */
export function requestUriError(text: string): string | undefined {
  const whole = toByteString(text);
  const parts = attempt(whole, () => parse(whole, true));
  return typeof parts === "string" ? parts : undefined;
}

/** The name or address without a port or brackets, and the port. */
export function splitHost(host: string): { hostname: string; port: string } {
  const colon = host.lastIndexOf(":");
  const hasPort = colon >= 0 && isPort(host.slice(colon));
  const name = hasPort ? host.slice(0, colon) : host;
  return {
    hostname: name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name,
    port: hasPort ? host.slice(colon + 1) : "",
  };
}

/** Go reads no query with more parameters. */
const mostParameters = 10_000;

/** The parameters of a query; those that cannot be read are left out. */
export function queryParameters(query: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const pairs = toByteString(query).split("&");
  if (pairs.length > mostParameters) return found;
  for (const pair of pairs) {
    if (pair === "" || pair.includes(";")) continue;
    const [key, value] = cut(pair, "=");
    const read = attempt(pair, () => ({ key: unescapeUrl(key, "query"), value: unescapeUrl(value, "query") }));
    if (typeof read === "string") continue;
    const name = fromByteString(read.key);
    const values = found.get(name);
    if (values === undefined) found.set(name, [fromByteString(read.value)]);
    else values.push(fromByteString(read.value));
  }
  return found;
}

function attempt<T>(whole: ByteString, read: () => T): T | string {
  try {
    return read();
  } catch (err) {
    if (err instanceof UrlError) return `parse ${quoteByteString(whole)}: ${err.message}`;
    throw err;
  }
}

function cut(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + mark.length)];
}

/** A part with its escapes as they were written, where that is a valid form, and without. */
interface Encoded {
  readonly escaped: string;
  readonly decoded: ByteString;
}

interface Parts {
  readonly scheme: string;
  /** What follows the scheme where that is no path: `mailto:someone`. */
  readonly opaque: ByteString;
  readonly host: ByteString;
  readonly user: string | undefined;
  readonly path: Encoded;
  readonly query: ByteString;
  /** A question mark with nothing behind it. */
  readonly hasEmptyQuery: boolean;
  /** `file:/path`. */
  readonly omitsHost: boolean;
}

const nothing: Encoded = { escaped: "", decoded: "" };

function parse(text: ByteString, isRequest: boolean): Parts {
  // oxlint-disable-next-line no-control-regex -- it is what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new UrlError("net/url: invalid control character in URL");
  if (text === "" && isRequest) throw new UrlError("empty url");
  const none = { scheme: "", opaque: "", host: "", user: undefined, query: "" };
  if (text === "*") return { ...none, path: { escaped: "*", decoded: "*" }, hasEmptyQuery: false, omitsHost: false };
  if (text.startsWith(":")) throw new UrlError("missing protocol scheme");
  const [, written = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  const scheme = written.toLowerCase();
  const behind = scheme === "" ? text : text.slice(scheme.length + 1);
  const [rest, query] = cut(behind, "?");
  const known = { ...none, scheme, query, hasEmptyQuery: behind.endsWith("?") && query === "", omitsHost: false };
  if (!rest.startsWith("/")) {
    if (scheme !== "") return { ...known, opaque: rest, path: nothing };
    if (isRequest) throw new UrlError("invalid URI for request");
    if (cut(rest, "/")[0].includes(":")) throw new UrlError("first path segment in URL cannot contain colon");
  }
  const hasAuthority = rest.startsWith("//") && (scheme !== "" || (!isRequest && !rest.startsWith("///")));
  if (!hasAuthority)
    return { ...known, omitsHost: scheme !== "" && rest.startsWith("/"), path: readEncoded(rest, "path") };
  const end = rest.indexOf("/", 2);
  const authority = parseAuthority(scheme, end < 0 ? rest.slice(2) : rest.slice(2, end));
  return { ...known, ...authority, path: readEncoded(end < 0 ? "" : rest.slice(end), "path") };
}

function readEncoded(text: ByteString, part: "path" | "fragment"): Encoded {
  const decoded = unescapeUrl(text, part);
  return { escaped: isEncoded(text, part) ? text : escapeUrl(decoded, part), decoded };
}

function parseAuthority(scheme: string, authority: ByteString): Pick<Parts, "host" | "user"> {
  const at = authority.lastIndexOf("@");
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { host, user: undefined };
  const info = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(info)) throw new UrlError("net/url: invalid userinfo");
  const [name, password] = cut(info, ":");
  const user = escapeUrl(unescapeUrl(name, "user"), "user");
  return { host, user: info.includes(":") ? `${user}:${escapeUrl(unescapeUrl(password, "user"), "user")}` : user };
}

function parseHost(scheme: string, host: ByteString): ByteString {
  const open = host.lastIndexOf("[");
  if (open > 0) throw new UrlError("invalid IP-literal");
  if (open === 0) return parseLiteral(host);
  const [first, last] = [host.indexOf(":"), host.lastIndexOf(":")];
  if (first >= 0) checkPort(host.slice(scheme === "http" || scheme === "https" ? first : last));
  return unescapeUrl(host, "host");
}

/** `[::1]:80`. */
function parseLiteral(host: ByteString): ByteString {
  const close = host.lastIndexOf("]");
  if (close < 0) throw new UrlError("missing ']' in host");
  const port = host.slice(close + 1);
  checkPort(port);
  const literal = host.slice(1, close);
  const zone = literal.indexOf("%25");
  const text =
    zone < 0
      ? unescapeUrl(literal, "host")
      : unescapeUrl(literal.slice(0, zone), "host") + unescapeUrl(literal.slice(zone), "zone");
  const address = parseGoAddress(fromByteString(text));
  if (typeof address === "string") throw new UrlError(`invalid host: ${address}`);
  if (address.isV4) throw new UrlError("invalid IP-literal");
  return `[${text}]${port}`;
}

const isPort = (text: string): boolean => /^(?::[0-9]*)?$/.test(text);

function checkPort(port: ByteString): void {
  if (!isPort(port)) throw new UrlError(`invalid port ${quoteByteString(port)} after host`);
}

function finish(parts: Parts, fragment: Encoded): GoUrl {
  return {
    scheme: parts.scheme,
    host: fromByteString(parts.host),
    user: parts.user,
    path: fromByteString(parts.path.escaped),
    query: fromByteString(parts.query),
    fragment: fromByteString(fragment.decoded),
    text: fromByteString(write(parts, fragment)),
  };
}

function write(parts: Parts, fragment: Encoded): ByteString {
  const scheme = parts.scheme === "" ? "" : `${parts.scheme}:`;
  const query = parts.hasEmptyQuery || parts.query !== "" ? `?${parts.query}` : "";
  const end = `${query}${fragment.decoded === "" ? "" : `#${fragment.escaped}`}`;
  if (parts.opaque !== "") return `${scheme}${parts.opaque}${end}`;
  return `${scheme}${writeAuthority(parts)}${parts.path.escaped}${end}`;
}

function writeAuthority({ scheme, host, user, path, omitsHost }: Parts): ByteString {
  const isAlone = host === "" && user === undefined;
  if (isAlone && (scheme === "" || omitsHost || path.decoded === "")) return "";
  return `//${user === undefined ? "" : `${user}@`}${escapeUrl(host, "host")}`;
}
