import { getOwn } from "../own/index.js";
import { decodeUtf8Lossy } from "../text/utf8-bytes.js";
import { skipString, skipValue } from "./skip.js";

/** The well-formed text in which an object was sent, or a part of it. */
export interface SentText {
  readonly bytes: Uint8Array;
  /** What the text's value has become in the object. */
  locate(object: object): unknown;
}

/**
 * Go holds `5.0` and `5e0` as floats as long as the request lasts, so that they are not equal to the `5` that is stored of them.
 * A copy made by spreading or `cloneJson` keeps the note; it is never written to a store or a client.
 */
const sentText: unique symbol = Symbol.for("coxswain.sentText") as never;

interface Noted {
  [sentText]?: SentText;
}

export function noteSentText(object: object, text: SentText): void {
  (object as Noted)[sentText] = text;
}

export function copySentText(from: Noted, to: object): void {
  const text = from[sentText];
  if (text !== undefined) noteSentText(to, text);
}

/** Whether the object has a number that was sent as a float and is stored as an integer. */
export function hasWholeFloats(object: object): boolean {
  const text = (object as Noted)[sentText];
  return text !== undefined && hasFloatOf(text.bytes, text.locate(object));
}

/** An object or a list around the byte that is read. */
interface Container {
  readonly isList: boolean;
  /** The item's position in a list, or the first byte of the member's name. */
  step: number;
  /** What it has become, looked up with the first float in it. */
  value: unknown;
  isLocated: boolean;
}

/** One pass without parsing, which ends at the first float that is found: a text of megabytes may be nothing but floats. */
function hasFloatOf(bytes: Uint8Array, root: unknown): boolean {
  const around: Container[] = [];
  let innermost: Container | undefined;
  let name = 0;
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    const byte = bytes[at++] as number;
    if (byte === 0x22) {
      name = start;
      at = skipString(bytes, start);
    } else if (byte === 0x3a) {
      if (innermost) innermost.step = name;
    } else if (byte === 0x2c) {
      if (innermost?.isList) innermost.step++;
    } else if (byte === 0x7b || byte === 0x5b) {
      innermost = { isList: byte === 0x5b, step: 0, value: undefined, isLocated: false };
      around.push(innermost);
    } else if (byte === 0x7d || byte === 0x5d) {
      around.pop();
      innermost = around.at(-1);
    } else if (byte >= 0x30 && byte <= 0x39) {
      at = skipValue(bytes, start);
      if (isFloat(bytes, start, at) && isStoredAsInteger(locate(bytes, root, around))) return true;
    }
  }
  return false;
}

function isFloat(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === 0x2e || byte === 0x65 || byte === 0x45) return true;
  }
  return false;
}

/** Go writes larger ones with an exponent, and reads floats again. */
const isStoredAsInteger = (value: unknown): boolean => Number.isInteger(value) && Math.abs(value as number) < 1e21;

/** What the value that is read has become. Containers are looked up once. */
function locate(bytes: Uint8Array, root: unknown, around: readonly Container[]): unknown {
  let at = around.length;
  while (at > 0 && !around[at - 1]?.isLocated) at--;
  let value = at === 0 ? root : stepInto(bytes, around[at - 1] as Container);
  for (; at < around.length; at++) {
    const container = around[at] as Container;
    container.isLocated = true;
    container.value = value;
    value = stepInto(bytes, container);
  }
  return value;
}

function stepInto(bytes: Uint8Array, { isList, step, value }: Container): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) !== isList) return undefined;
  if (isList) return (value as readonly unknown[])[step];
  return getOwn<unknown>(value as Record<string, unknown>, readName(bytes, step));
}

const readName = (bytes: Uint8Array, start: number): string =>
  JSON.parse(decodeUtf8Lossy(bytes.subarray(start, skipString(bytes, start)))) as string;
