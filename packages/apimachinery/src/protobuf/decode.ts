import { encodeBase64 } from "../json/base64.js";
import { decodeAny } from "../json/decode.js";
import { DecodeError } from "../json/decode-error.js";
import type { FieldPlan } from "../json/plan.js";
import { absent, isZero, sortMembers } from "../json/walk-in-place.js";
import { setOwn } from "../own/index.js";
import { canonicalQuantity } from "../quantity/index.js";
import { type SchemaNode, typeCodes } from "../schema/index.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { formatDuration } from "../time/index.js";
import { elementOf, type MessageEntry, type MessagePlan, messageOf, messagePlanOf, type ValuePlan } from "./plan.js";
import { Reader, unexpectedEnd } from "./reader.js";
import { timeOfSeconds } from "./seconds.js";

type JsonObject = Record<string, unknown>;

/** The members met so far of the messages being read, each message with a stretch of its own: no array per message. */
const slots: unknown[] = [];
let top = 0;
const maxDepth = 1_000;
let depth = 0;

/** The object of a protobuf message without envelope, in canonical form. Unknown fields are skipped. Throws DecodeError. */
export function decodeProtobuf(bytes: Uint8Array, node: SchemaNode): unknown {
  return decodeMessage(new Reader(bytes), bytes.length, node);
}

/** Reads from where the reader is up to `end`. */
export function decodeMessage(reader: Reader, end: number, node: SchemaNode): unknown {
  try {
    return readMessage(reader, end, messagePlanOf(node));
  } finally {
    if (top > 0) slots.fill(undefined, 0, top); // only after an error
    top = 0;
    depth = 0;
  }
}

function readMessage(reader: Reader, end: number, plan: MessagePlan): JsonObject {
  if (++depth > maxDepth) throw new DecodeError("proto: exceeded max depth");
  const base = top;
  const { fields } = plan.json;
  const size = fields.length;
  top += size;
  while (slots.length < top) slots.push(undefined);
  readFields(reader, end, plan, base);
  const object: JsonObject = {};
  for (let i = 0; i < size; i++) {
    let value = slots[base + i];
    const field = fields[i] as FieldPlan;
    if (value === undefined) {
      if (field.drop) continue;
      value = absent(field);
    } else {
      slots[base + i] = undefined;
      if (field.plan.code === typeCodes.map) value = inOrder(value as JsonObject);
    }
    object[field.name] = value; // names of the API's own, none of them special to JavaScript
  }
  top = base;
  depth--;
  return object;
}

// The parameters of these are many because they are called for every field: an options object would cost as much as the field.
function readFields(reader: Reader, end: number, plan: MessagePlan, base: number): void {
  const { byNumber } = plan;
  while (reader.at < end) {
    let tag = reader.bytes[reader.at] as number;
    if (tag < 0x80) reader.at++;
    else tag = reader.varint();
    const wire = tag & 7;
    const number = tag < 0x80 ? tag >> 3 : Math.floor(tag / 8);
    const entry = number < byNumber.length ? byNumber[number] : undefined;
    if (entry === undefined) {
      if (number === 0 || number > 0x1fffffff) throw new DecodeError(`proto: illegal tag ${number} (wire type ${tag})`);
      reader.skip(wire, end);
      continue;
    }
    const value = entry.value;
    const slot = base + entry.slot;
    if (value.code === typeCodes.list) {
      slots[slot] = readItem(reader, end, entry, wire, slots[slot]);
    } else if (wire !== value.wire) {
      throw wrongWire(wire, entry);
    } else if (value.code === typeCodes.map) {
      slots[slot] = readEntry(reader, reader.end(end), value, (slots[slot] ?? {}) as JsonObject);
    } else if (entry.inline) {
      readFields(reader, reader.end(end), entry.inline, base);
    } else {
      const read = readValue(reader, end, value);
      slots[slot] = entry.dropZero && isNothing(read, entry, plan) ? undefined : read;
    }
  }
  if (reader.at > end) throw unexpectedEnd();
}

function isNothing(value: unknown, entry: MessageEntry, plan: MessagePlan): boolean {
  if (entry.value.code === typeCodes.struct || entry.value.code === typeCodes.wrappedStringList)
    return isZero(value, (plan.json.fields[entry.slot] as FieldPlan).plan);
  return value === "" || value === 0 || value === false || value === null;
}

const wrongWire = (wire: number, entry: MessageEntry): DecodeError =>
  new DecodeError(`proto: wrong wireType = ${wire} for field ${entry.name}`);

function readItem(reader: Reader, end: number, entry: MessageEntry, wire: number, old: unknown): unknown[] {
  const list = (old ?? []) as unknown[];
  const element = elementOf(entry.value);
  if (wire === element.wire) list.push(readValue(reader, end, element));
  else if (wire === 2) readPacked(reader, reader.end(end), element, list);
  else throw wrongWire(wire, entry);
  return list;
}

function readPacked(reader: Reader, end: number, element: ValuePlan, list: unknown[]): void {
  while (reader.at < end) list.push(readValue(reader, end, element));
}

function readEntry(reader: Reader, end: number, plan: ValuePlan, map: JsonObject): JsonObject {
  const element = elementOf(plan);
  let key = "";
  let value: unknown;
  while (reader.at < end) {
    const tag = reader.varint();
    if (tag === 0x0a) key = reader.string(reader.end(end));
    else if (tag === 16 + element.wire) value = readValue(reader, end, element);
    else reader.skip(tag & 7, end);
  }
  setOwn(map, key, value === undefined ? zeroItem(element) : value);
  return map;
}

/** Keys usually come in order; Go writes them so. */
function inOrder(map: JsonObject): JsonObject {
  let before = "";
  for (const key in map) {
    if (compareUtf8(before, key) > 0) return sortMembers(map);
    before = key;
  }
  return map;
}

/** Go leaves bytes that are not there empty, not nil. */
function zeroItem(plan: ValuePlan): unknown {
  if (plan.code === typeCodes.string || plan.code === typeCodes.bytes) return "";
  const zero = new Reader(Uint8Array.of(0));
  return plan.wire === 1 ? 0 : readValue(zero, 1, plan);
}

function readValue(reader: Reader, limit: number, plan: ValuePlan): unknown {
  switch (plan.code) {
    case typeCodes.string:
      return reader.string(reader.end(limit));
    case typeCodes.bool:
      return reader.bool();
    case typeCodes.int32:
      return reader.int32();
    case typeCodes.int64:
      return reader.integer();
    case typeCodes.uint32:
      return reader.uint32();
    case typeCodes.float64:
      return reader.double();
    case typeCodes.struct:
      return readMessage(reader, reader.end(limit), messageOf(plan));
    case typeCodes.bytes: {
      const end = reader.end(limit);
      const bytes = reader.bytes.subarray(reader.at, end);
      reader.at = end;
      return encodeBase64(bytes);
    }
    default:
      return readSpecial(reader, reader.end(limit), plan);
  }
}

/** Numbers and texts of a small message whose fields are 1 to 3. */
interface Parts {
  number1: number | bigint;
  number2: number | bigint;
  text1: string | undefined;
  text3: string;
}

function readParts(reader: Reader, end: number): Parts {
  const parts: Parts = { number1: 0, number2: 0, text1: undefined, text3: "" };
  while (reader.at < end) {
    const tag = reader.varint();
    if (tag === 0x08) parts.number1 = reader.integer();
    else if (tag === 0x10) parts.number2 = reader.integer();
    else if (tag === 0x0a) parts.text1 = reader.string(reader.end(end));
    else if (tag === 0x1a) parts.text3 = reader.string(reader.end(end));
    else reader.skip(tag & 7, end);
  }
  if (reader.at > end) throw unexpectedEnd();
  return parts;
}

function readSpecial(reader: Reader, end: number, plan: ValuePlan): unknown {
  const empty = reader.at === end;
  switch (plan.code) {
    case typeCodes.wrappedStringList:
      return readStrings(reader, end);
    case typeCodes.schemaOrBool:
    case typeCodes.schemaOrArray:
    case typeCodes.schemaOrStringArray:
      return readUnion(reader, end, plan);
    case typeCodes.rawExtension:
    case typeCodes.fieldsV1:
    case typeCodes.json:
      return readRaw(reader, end);
    default: {
      const { number1, number2, text1, text3 } = readParts(reader, end);
      switch (plan.code) {
        case typeCodes.quantity: {
          const quantity = canonicalQuantity(text1 ?? "0");
          if (quantity === undefined)
            throw new DecodeError(
              "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
            );
          return quantity;
        }
        case typeCodes.time:
          return empty ? null : timeText(number1, "");
        case typeCodes.microTime:
          return empty ? null : timeText(number1, `.${String(Math.floor(Number(number2) / 1000)).padStart(6, "0")}`);
        case typeCodes.duration:
          return formatDuration(number1);
        default: // intOrString
          return Number(number1) === 1 ? text3 : Number(BigInt.asIntN(32, BigInt(number2)));
      }
    }
  }
}

/** JSON inside of a message. */
function readRaw(reader: Reader, end: number): unknown {
  let value: unknown = null;
  while (reader.at < end) {
    const tag = reader.varint();
    if (tag === 0x0a) {
      const stop = reader.end(end);
      value = stop === reader.at ? null : decodeAny(reader.bytes.subarray(reader.at, stop));
      reader.at = stop;
    } else reader.skip(tag & 7, end);
  }
  return value;
}

/** Go's zero time is "not set", here as in JSON; beyond the calendar of JavaScript there is no text. */
function timeText(seconds: number | bigint, fraction: string): string | null {
  const number = Number(seconds);
  if (number === -62_135_596_800 && !/[1-9]/.test(fraction)) return null;
  if (Math.abs(number) > 8.64e12) throw new DecodeError("Time.MarshalJSON: year outside of range [0,9999]");
  return `${timeOfSeconds(number)}${fraction}Z`;
}

function readStrings(reader: Reader, end: number): string[] {
  const list: string[] = [];
  while (reader.at < end) {
    const tag = reader.varint();
    if (tag === 0x0a) list.push(reader.string(reader.end(end)));
    else reader.skip(tag & 7, end);
  }
  return list;
}

function readUnion(reader: Reader, end: number, plan: ValuePlan): unknown {
  const isBool = plan.code === typeCodes.schemaOrBool;
  let allows = false;
  let schema: JsonObject | undefined;
  const list: unknown[] = [];
  while (reader.at < end) {
    const tag = reader.varint();
    if (isBool && tag === 0x08) allows = reader.bool();
    else if (tag === (isBool ? 0x12 : 0x0a)) schema = readMessage(reader, reader.end(end), messageOf(plan));
    else if (tag === 0x12)
      list.push(
        plan.code === typeCodes.schemaOrArray
          ? readMessage(reader, reader.end(end), messageOf(plan))
          : reader.string(reader.end(end)),
      );
    else reader.skip(tag & 7, end);
  }
  if (isBool) return schema ?? allows;
  return list.length > 0 ? list : (schema ?? null);
}
