import { type Field, fieldValue, parseFields } from "./field.js";
import { Http1Error, malformed } from "./http1-error.js";

export interface RequestHead {
  readonly method: string;
  /** `/path?query`, or `*`. */
  readonly target: string;
  /** Of the target if that has one, else of the Host line; empty in HTTP/1.0 without either. */
  readonly authority: string;
  /** 0 for HTTP/1.0. */
  readonly minor: 0 | 1;
  readonly fields: Field[];
}

export interface ResponseHead {
  readonly status: number;
  readonly minor: 0 | 1;
  readonly fields: Field[];
}

/** Whatever ends no line and is no tab; line ends that are not two characters: readers that differ on them see different requests. */
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?<!\r)\n/;
const requestLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) ([\x21\x22\x24-\x7e]+) HTTP\/(\d)\.(\d)$/;
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [^\r\n]*)?$/;
const scheme = /^https?:\/\//i;
const host = /^[\w.~%!$&'()*+,;=:[\]-]*$/;

/** The head of a request, one character per byte, without the empty line at its end. Strict: RFC 9112, sections 2.2, 3 and 5. @throws Http1Error */
export function parseRequestHead(text: string): RequestHead {
  if (control.test(text)) throw malformed("the head has a control character");
  const end = lineEnd(text);
  const line = requestLine.exec(text.slice(0, end));
  if (!line) throw malformed("the request line is malformed");
  const [, method = "", sent = "", major, minor] = line;
  if (major !== "1" || (minor !== "0" && minor !== "1")) throw new Http1Error(505, "the version is not served");
  const fields = parseFields(text, end + 2);
  const hosts = fields.reduce((sum, { lower }) => sum + (lower === "host" ? 1 : 0), 0);
  if (hosts > 1 || (hosts === 0 && minor === "1")) throw malformed("a request has one Host line");
  const { target, authority } = readTarget(method, sent, fieldValue(fields, "host") ?? "");
  if (!host.test(authority)) throw malformed("the host is malformed");
  return { method, target, authority, minor: minor === "0" ? 0 : 1, fields };
}

/** The four forms of RFC 9112, section 3.2. */
function readTarget(method: string, sent: string, hostLine: string): { target: string; authority: string } {
  if (method === "CONNECT") throw new Http1Error(405, "CONNECT is not served");
  if (sent.startsWith("/")) return { target: sent, authority: hostLine };
  if (sent === "*" && method === "OPTIONS") return { target: sent, authority: hostLine };
  const start = scheme.exec(sent)?.[0].length;
  if (start === undefined) throw malformed("the target is malformed");
  const end = start + Math.max(0, sent.slice(start).search(/[/?]/));
  const [authority, path] = end > start ? [sent.slice(start, end), sent.slice(end)] : [sent.slice(start), ""];
  if (authority === "" || authority.startsWith("/")) throw malformed("the target has no host");
  // The target's host counts, whatever the Host line has (section 3.2.2); a name and password in it are refused.
  return { target: path.startsWith("/") ? path : `/${path}`, authority };
}

/** The head of a response. @throws Http1Error */
export function parseResponseHead(text: string): ResponseHead {
  if (control.test(text)) throw malformed("the head has a control character");
  const end = lineEnd(text);
  const line = statusLine.exec(text.slice(0, end));
  if (!line) throw malformed("the status line is malformed");
  return { status: Number(line[2]), minor: line[1] === "0" ? 0 : 1, fields: parseFields(text, end + 2) };
}

function lineEnd(text: string): number {
  const end = text.indexOf("\r\n");
  return end < 0 ? text.length : end;
}
