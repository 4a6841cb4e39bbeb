import { decodeAny, encodeUtf8, stringifyJson } from "@coxswain/apimachinery/json";
import type { TransportBody } from "./transport.js";
import { TransportError } from "./transport-error.js";

const decoder = new TextDecoder();

/**
 * An integer that `JSON.parse` might round. Digits inside a string match too, which only costs time: such a text is read
 * by the exact parser.
 */
const longInteger = /[:,[] ?-?\d{16}/;

/** JSON without loss: integers beyond 2^53 become bigints. Throws a SyntaxError or a DecodeError. */
export const parseJsonText = (text: string): unknown =>
  longInteger.test(text) ? decodeAny(encodeUtf8(text)) : JSON.parse(text);

/** The body of an answer. Throws a TransportError that quotes the beginning of what is no JSON. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decoder.decode(bytes);
  try {
    return parseJsonText(text);
  } catch (cause) {
    const start = text.length > 200 ? `${text.slice(0, 200)}…` : text;
    throw new TransportError("malformed", `the answer is no JSON: ${JSON.stringify(start)}`, { cause });
  }
}

/** The bytes and media type that leave the process. */
export function encodeBody(body: TransportBody): { readonly bytes: Uint8Array; readonly contentType: string } {
  if (body.as === "bytes") return body;
  return { bytes: encodeUtf8(stringify(body.value)), contentType: body.contentType ?? "application/json" };
}

/**
 * As Go writes it, so that a server which keeps the text of a member (`data` of a ControllerRevision) and compares it with
 * what Go would write finds no change.
 */
function stringify(value: unknown): string {
  const text = plainText(value);
  return escaped.test(text) ? text.replace(eachEscaped, escapeCharacter) : text;
}

const escaped = /[<>&\u2028\u2029]/;
const eachEscaped = /[<>&\u2028\u2029]/g;
const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

function plainText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return stringifyJson(value); // it holds a bigint, which JSON.stringify refuses
  }
}
