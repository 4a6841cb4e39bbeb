import type { Header } from "./header.js";
import type { HeaderBlock } from "./header-block-assembler.js";
import { errorCode, Http2Error } from "./http2-error.js";

const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const controls = /[\0-\x08\x0a-\x1f\x7f]/;
const connectionHeaders = new Map(
  ["Connection", "Proxy-Connection", "Transfer-Encoding", "Upgrade", "Keep-Alive"].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);
const colon = 58;

/** The stream error of a header block that opens a stream; undefined if it is a request. `headers` undefined: they are too long. */
export function findOpenError(
  { stream, dependsOnItself }: HeaderBlock,
  headers: readonly Header[] | undefined,
): Http2Error | undefined {
  if (dependsOnItself) return new Http2Error(errorCode.protocolError, "a stream depends on itself", stream);
  const fault = headers && findRequestError(headers);
  if (fault === undefined) return undefined;
  return new Http2Error(errorCode.protocolError, `malformed request: ${fault}`, stream);
}

/** Why a request's headers are malformed (RFC 9113, section 8.3); undefined if they are not. */
function findRequestError(headers: readonly Header[]): string | undefined {
  let method: string | undefined;
  let scheme: string | undefined;
  let path: string | undefined;
  let authority: string | undefined;
  let at = 0;
  for (; at < headers.length; at += 1) {
    const name = headers[at]![0];
    const value = headers[at]![1];
    if (name.charCodeAt(0) !== colon) break;
    let before: string | undefined;
    if (name === ":method") [before, method] = [method, value];
    else if (name === ":scheme") [before, scheme] = [scheme, value];
    else if (name === ":path") [before, path] = [path, value];
    else if (name === ":authority") [before, authority] = [authority, value];
    else return `unknown pseudo-header ${name}`;
    if (before !== undefined) return `duplicate pseudo-header ${name}`;
    if (controls.test(value)) return `the value of ${name} is malformed`;
  }
  if (!method) return "no :method";
  if (method === "CONNECT") {
    if (scheme !== undefined || path !== undefined || !authority)
      return "CONNECT takes :authority and no :scheme or :path";
  } else if (scheme !== "https" && scheme !== "http") return "unknown :scheme";
  else if (!path?.startsWith("/") && path !== "*") return "no :path";
  return findFieldError(headers, at);
}

/** The same for trailers. */
export const findTrailersError = (headers: readonly Header[]): string | undefined => findFieldError(headers, 0);

function findFieldError(headers: readonly Header[], from: number): string | undefined {
  for (let at = from; at < headers.length; at += 1) {
    const name = headers[at]![0];
    if (!token.test(name))
      return name.startsWith(":") ? `pseudo-header ${name} after regular headers` : "malformed header name";
    if (controls.test(headers[at]![1])) return `the value of ${name} is malformed`;
  }
  return undefined;
}

/** The message for a connection-specific header (RFC 9113, section 8.2.2), as Go's server words it; undefined if there is none. */
export function findConnectionHeader(headers: readonly Header[]): string | undefined {
  for (const header of headers) {
    const name = connectionHeaders.get(header[0]);
    if (name !== undefined) return `request header "${name}" is not valid in HTTP/2`;
    if (header[0] === "te" && header[1] !== "" && header[1] !== "trailers")
      return 'request header "TE" may only be "trailers" in HTTP/2';
  }
  return undefined;
}
