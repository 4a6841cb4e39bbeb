import { quoteGo } from "../text/go-quote.js";
import { parseIp } from "./ip-address.js";

/** A URL's parts as Go takes them apart. */
export interface GoUrl {
  readonly scheme: string;
  readonly host: string;
  /** Name and password; undefined where there is no "@". */
  readonly user: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

class UrlError extends Error {}

/** Go's reading of a URL, or what it says of one that it cannot read. It takes almost anything. */
export function parseGoUrl(text: string): GoUrl | string {
  const [before, fragment] = cut(text, "#");
  try {
    const parts = parse(before);
    const quoted = before === text ? before : text;
    return { ...parts, fragment: attempt(() => unescape(fragment), quoted) };
  } catch (err) {
    if (!(err instanceof UrlError)) throw err;
    return err.message.startsWith("parse ") ? err.message : `parse ${quoteGo(before)}: ${err.message}`;
  }
}

/** Whether Go reads the text as that of a request: a whole URL, or a path from the root on. A "#" is nothing special in it. */
export function isRequestUri(text: string): boolean {
  try {
    // A path may begin with two slashes: there is no host behind them.
    const { scheme } = parse(text.startsWith("/") ? `x:/.${text}` : text);
    return scheme !== "" || text === "*";
  } catch (err) {
    if (err instanceof UrlError) return false;
    throw err;
  }
}

function attempt(read: () => string, whole: string): string {
  try {
    return read();
  } catch (err) {
    if (err instanceof UrlError) throw new UrlError(`parse ${quoteGo(whole)}: ${err.message}`, { cause: err });
    throw err;
  }
}

function cut(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + mark.length)];
}

function parse(text: string): Omit<GoUrl, "fragment"> {
  // oxlint-disable-next-line no-control-regex -- it is what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new UrlError("net/url: invalid control character in URL");
  if (text === "*") return { scheme: "", host: "", user: undefined, query: "" };
  if (text.startsWith(":")) throw new UrlError("missing protocol scheme");
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? "";
  const [rest, query] = cut(scheme === "" ? text : text.slice(scheme.length + 1), "?");
  const plain = { scheme: scheme.toLowerCase(), host: "", user: undefined, query };
  if (!rest.startsWith("/")) {
    if (scheme !== "") return plain;
    if (cut(rest, "/")[0].includes(":")) throw new UrlError("first path segment in URL cannot contain colon");
  }
  if (!rest.startsWith("//") || (scheme === "" && rest.startsWith("///"))) {
    unescape(rest);
    return plain;
  }
  const end = rest.indexOf("/", 2);
  const authority = parseAuthority(plain.scheme, end < 0 ? rest.slice(2) : rest.slice(2, end));
  unescape(end < 0 ? "" : rest.slice(end));
  return { ...plain, ...authority };
}

function parseAuthority(scheme: string, authority: string): Pick<GoUrl, "host" | "user"> {
  const at = authority.lastIndexOf("@");
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { host, user: undefined };
  const info = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(info)) throw new UrlError("net/url: invalid userinfo");
  if (!info.includes(":")) return { host, user: escapeUser(unescape(info)) };
  const [name, password] = cut(info, ":");
  return { host, user: `${escapeUser(unescape(name))}:${escapeUser(unescape(password))}` };
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf("[");
  if (open > 0) throw new UrlError("invalid IP-literal");
  if (open === 0) return parseAddress(host);
  const [first, last] = [host.indexOf(":"), host.lastIndexOf(":")];
  if (first >= 0) checkPort(host.slice(scheme === "http" || scheme === "https" ? first : last));
  return unescapeHost(host);
}

function parseAddress(host: string): string {
  const close = host.lastIndexOf("]");
  if (close < 0) throw new UrlError("missing ']' in host");
  checkPort(host.slice(close + 1));
  const [address = "", ...zone] = host.slice(1, close).split("%25");
  const text = [unescapeHost(address), ...zone].join("%");
  const ip = parseIp(address);
  if (!ip) throw new UrlError(`invalid host: ParseAddr(${quoteGo(text)}): unable to parse IP`);
  if (!address.includes(":")) throw new UrlError("invalid IP-literal");
  return `[${text}]${host.slice(close + 1)}`;
}

function checkPort(port: string): void {
  if (!/^(?::[0-9]*)?$/.test(port)) throw new UrlError(`invalid port ${quoteGo(port)} after host`);
}

/** Of a host only what is not ASCII may be written by its number. */
function unescapeHost(host: string): string {
  for (const [piece, escaped] of host.matchAll(/%(.{0,2})|[\u0000-\u007f]/gs)) {
    if (escaped !== undefined && (!/^[0-9A-Fa-f]{2}$/.test(escaped) || (/^[0-7]/.test(escaped) && piece !== "%25")))
      throw new UrlError(`invalid URL escape ${quoteGo(piece)}`);
    if (escaped === undefined && !/[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/.test(piece))
      throw new UrlError(`invalid character ${quoteGo(piece)} in host name`);
  }
  return unescape(host);
}

function unescape(text: string): string {
  for (const [piece] of text.matchAll(/%.{0,2}/gs))
    if (!/^%[0-9A-Fa-f]{2}$/.test(piece)) throw new UrlError(`invalid URL escape ${quoteGo(piece)}`);
  const bytes = new TextEncoder().encode(text);
  const read: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte !== 0x25) {
      read.push(byte);
      continue;
    }
    read.push(Number.parseInt(String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0), 16));
    at += 2;
  }
  return new TextDecoder().decode(Uint8Array.from(read));
}

const escapeUser = (text: string): string =>
  [...new TextEncoder().encode(text)]
    .map((byte) =>
      /[A-Za-z0-9\-_.~$&+,;=]/.test(String.fromCharCode(byte)) && byte < 0x80
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .join("");
