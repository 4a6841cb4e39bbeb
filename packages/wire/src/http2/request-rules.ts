import type { Header } from "./header.js";

const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const controls = /[\0-\x08\x0a-\x1f\x7f]/;
const ofConnection = new Map(
  ["Connection", "Proxy-Connection", "Transfer-Encoding", "Upgrade", "Keep-Alive"].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);
const colon = 58;

/** What is wrong with the headers of a request (RFC 9113, section 8), if anything. */
export function faultOfRequest(headers: readonly Header[]): string | undefined {
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
    else return `${name} is unknown`;
    if (before !== undefined) return `${name} is said twice`;
    if (controls.test(value)) return `the value of ${name} is malformed`;
  }
  if (!method) return "it has no method";
  if (method === "CONNECT") {
    if (scheme !== undefined || path !== undefined || !authority) return "CONNECT has an authority, and nothing else";
  } else if (scheme !== "https" && scheme !== "http") return "it has no scheme that is known";
  else if (!path?.startsWith("/") && path !== "*") return "it has no path";
  return faultOfFields(headers, at);
}

/** What is wrong with headers that come behind a body. */
export const faultOfTrailers = (headers: readonly Header[]): string | undefined => faultOfFields(headers, 0);

function faultOfFields(headers: readonly Header[], from: number): string | undefined {
  for (let at = from; at < headers.length; at += 1) {
    const name = headers[at]![0];
    if (!token.test(name))
      return name.startsWith(":") ? `${name} stands behind other headers` : "a header's name is malformed";
    if (controls.test(headers[at]![1])) return `the value of ${name} is malformed`;
  }
  return undefined;
}

/** A header that belongs to HTTP/1.1, if there is one: such a request is answered with this sentence. */
export function findMisplacedHeader(headers: readonly Header[]): string | undefined {
  for (const header of headers) {
    const name = ofConnection.get(header[0]);
    if (name !== undefined) return `request header "${name}" is not valid in HTTP/2`;
    if (header[0] === "te" && header[1] !== "" && header[1] !== "trailers")
      return 'request header "TE" may only be "trailers" in HTTP/2';
  }
  return undefined;
}
