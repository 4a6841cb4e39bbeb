import type { Field } from "./field.js";
import { Http1Error, malformed } from "./http1-error.js";
import type { RequestHead, ResponseHead } from "./message-head.js";

/** Where a message's body ends. */
export type BodyFraming =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "chunked" }
  /** Of responses alone: the body ends with the connection. */
  | { readonly kind: "until closed" };

const none: BodyFraming = { kind: "none" };
const chunked: BodyFraming = { kind: "chunked" };
const untilClosed: BodyFraming = { kind: "until closed" };

/**
 * RFC 9112, section 6.3. What request smuggling is made of is refused and not repaired: two lengths, a length and chunks, codings other than
 * `chunked`, chunks in HTTP/1.0. @throws Http1Error
 */
export function requestFraming({ fields, minor }: RequestHead): BodyFraming {
  const framing = readFraming(fields, minor);
  return framing ?? none;
}

/** Of a response to a request with that method. @throws Http1Error */
export function responseFraming({ fields, minor, status }: ResponseHead, method: string): BodyFraming {
  const framing = readFraming(fields, minor);
  if (method === "HEAD" || status === 204 || status === 304 || status < 200) return none;
  return framing ?? untilClosed;
}

function readFraming(fields: readonly Field[], minor: 0 | 1): BodyFraming | undefined {
  let length: string | undefined;
  let coding: string | undefined;
  for (const { lower, value } of fields)
    if (lower === "content-length") {
      if (length !== undefined) throw malformed("two lengths of one body");
      length = value;
    } else if (lower === "transfer-encoding") {
      if (coding !== undefined) throw new Http1Error(501, "more than one transfer coding");
      coding = value;
    }
  if (coding !== undefined) {
    if (length !== undefined || minor === 0)
      throw malformed("a body with a length, or of HTTP/1.0, has no transfer coding");
    if (coding.toLowerCase() !== "chunked") throw new Http1Error(501, "a transfer coding other than chunked");
    return chunked;
  }
  return length === undefined ? undefined : { kind: "length", bytes: readLength(length) };
}

function readLength(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw malformed("a body's length is malformed");
  return Number(value);
}
