import { decodeBase64 } from "../json/base64.js";
import { stringify } from "../json/encode.js";
import { type SchemaNode, typeCodes } from "../schema/index.js";
import { encodeUtf8 } from "../text/utf8-bytes.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { parseDuration } from "../time/index.js";
import { elementOf, type MessageEntry, type MessagePlan, messageOf, messagePlanOf, type ValuePlan } from "./plan.js";
import { secondsOfTime } from "./seconds.js";
import { Writer } from "./writer.js";

type JsonObject = Record<string, unknown>;

/** One for all messages: encoding never pauses. */
const out = new Writer();

/**
 * The protobuf message of an object in canonical form, byte for byte as Go writes it, without the envelope.
 * Members that are no pointers are written even when they are zero.
 * The result is a view of a slab of 16 KB that other results share; it never changes, but who keeps it for long copies it (`slice`).
 */
export function encodeProtobuf(object: unknown, node: SchemaNode): Uint8Array {
  begin();
  writeMessage(object as JsonObject, messagePlanOf(node));
  return out.finish();
}

/** Empties the writer, also of what an error left behind. */
export function begin(): Writer {
  slots.fill(undefined, 0, top);
  top = 0;
  out.reset();
  return out;
}

/** Writes the object's message in front of what the writer holds, and its length. */
export function writeNested(object: unknown, node: SchemaNode): void {
  const before = out.at;
  writeMessage(object as JsonObject, messagePlanOf(node));
  out.varint(before - out.at);
}

/** The members of the objects being written, each object with a stretch of its own: asking an object for every member it may have is slow. */
const slots: unknown[] = [];
let top = 0;

function writeMessage(object: JsonObject, plan: MessagePlan): void {
  const base = top;
  top += plan.json.fields.length;
  while (slots.length < top) slots.push(undefined);
  for (const name in object) {
    const slot = plan.slots.get(name);
    if (slot !== undefined) slots[base + slot] = object[name];
  }
  writeEntries(plan, base); // and empties the slots
  top = base;
}

function writeEntries({ entries }: MessagePlan, base: number): void {
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i] as MessageEntry;
    if (entry.inline) {
      writeInline(entry, entry.inline, base);
      continue;
    }
    const slot = base + entry.slot;
    const value = slots[slot];
    if (value === undefined || value === null) {
      if (entry.skipNil) continue;
      writeZero(entry.value);
      out.varint(entry.tag);
      continue;
    }
    slots[slot] = undefined;
    if (entry.value.code === typeCodes.list) {
      writeList(value as unknown[], entry);
    } else if (entry.value.code === typeCodes.map) {
      writeMap(value as JsonObject, entry);
    } else {
      writeValue(value, entry.value);
      out.varint(entry.tag);
    }
  }
}

function writeInline(entry: MessageEntry, plan: MessagePlan, base: number): void {
  if (entry.pointer && !plan.entries.some(({ slot }) => slots[base + slot] !== undefined)) return;
  const before = out.at;
  writeEntries(plan, base);
  out.varint(before - out.at);
  out.varint(entry.tag);
}

function writeList(list: readonly unknown[], entry: MessageEntry): void {
  const element = elementOf(entry.value);
  for (let i = list.length - 1; i >= 0; i--) {
    const item = list[i];
    if (item === null || item === undefined) writeZero(element);
    else writeValue(item, element);
    out.varint(entry.tag);
  }
}

function writeMap(map: JsonObject, entry: MessageEntry): void {
  const element = elementOf(entry.value);
  const keys = sortedKeys(map);
  for (let i = keys.length - 1; i >= 0; i--) {
    const key = keys[i] as string;
    const item = map[key];
    const before = out.at;
    if (item !== null && item !== undefined) writeValue(item, element);
    else if (element.code !== typeCodes.bytes) writeZero(element);
    if (out.at !== before) out.byte(16 + element.wire);
    out.string(key);
    out.byte(0x0a);
    out.varint(before - out.at);
    out.varint(entry.tag);
  }
}

/** Canonical maps are in order already, but for keys that look like numbers: JavaScript puts those first. */
function sortedKeys(map: JsonObject): string[] {
  const keys = Object.keys(map);
  for (let i = 1; i < keys.length; i++) {
    if (compareUtf8(keys[i - 1] as string, keys[i] as string) > 0) return keys.sort(compareUtf8);
  }
  return keys;
}

function writeValue(value: unknown, plan: ValuePlan): void {
  switch (plan.code) {
    case typeCodes.string:
      return out.string(value as string);
    case typeCodes.bool:
      return out.byte(value === true ? 1 : 0);
    case typeCodes.int32:
    case typeCodes.int64:
    case typeCodes.uint32:
      return out.integer(value as number | bigint);
    case typeCodes.float64:
      return out.double(value as number);
    case typeCodes.struct: {
      const before = out.at;
      writeMessage(value as JsonObject, messageOf(plan));
      return out.varint(before - out.at);
    }
    case typeCodes.bytes:
      return writeBytes(decodeBase64(value as string));
    default: {
      const before = out.at;
      writeSpecial(value, plan);
      return out.varint(before - out.at);
    }
  }
}

function writeBytes(bytes: Uint8Array): void {
  out.raw(bytes);
  out.varint(bytes.length);
}

/** The types that are text or anything in JSON, and messages here. */
function writeSpecial(value: unknown, plan: ValuePlan): void {
  switch (plan.code) {
    case typeCodes.quantity:
      out.string(value as string);
      return out.byte(0x0a);
    case typeCodes.time:
      return writeTimestamp(secondsOfTime(value as string), 0);
    case typeCodes.microTime:
      return writeTimestamp(secondsOfTime(value as string), Number((value as string).slice(20, 26)) * 1000);
    case typeCodes.duration:
      out.integer(parseDuration(value as string).nanoseconds ?? 0);
      return out.byte(0x08);
    case typeCodes.intOrString:
      return typeof value === "number" ? writeIntOrString(0, value, "") : writeIntOrString(1, 0, value as string);
    case typeCodes.rawExtension:
    case typeCodes.fieldsV1:
    case typeCodes.json:
      writeBytes(encodeUtf8(stringify(value)));
      return out.byte(0x0a);
    case typeCodes.wrappedStringList:
      return writeStrings(value as string[], 1);
    default:
      return writeUnion(value, plan);
  }
}

function writeTimestamp(seconds: number, nanoseconds: number): void {
  out.varint(nanoseconds);
  out.byte(0x10);
  out.integer(seconds);
  out.byte(0x08);
}

function writeIntOrString(type: number, number: number, text: string): void {
  out.string(text);
  out.byte(0x1a);
  out.integer(number);
  out.byte(0x10);
  out.byte(type);
  out.byte(0x08);
}

function writeStrings(list: readonly string[], number: number): void {
  for (let i = list.length - 1; i >= 0; i--) {
    out.string(list[i] as string);
    out.byte(number * 8 + 2);
  }
}

function writeUnion(value: unknown, plan: ValuePlan): void {
  const isBool = plan.code === typeCodes.schemaOrBool;
  if (Array.isArray(value)) {
    if (plan.code === typeCodes.schemaOrStringArray) return writeStrings(value as string[], 2);
    for (let i = value.length - 1; i >= 0; i--) writeSchema(value[i] as JsonObject, plan, 2);
    return;
  }
  if (typeof value === "object" && value !== null) writeSchema(value as JsonObject, plan, isBool ? 2 : 1);
  if (!isBool) return;
  out.byte(value === false ? 0 : 1);
  out.byte(0x08);
}

function writeSchema(schema: JsonObject, plan: ValuePlan, number: number): void {
  const before = out.at;
  writeMessage(schema, messageOf(plan));
  out.varint(before - out.at);
  out.byte(number * 8 + 2);
}

function writeZero(plan: ValuePlan): void {
  switch (plan.code) {
    case typeCodes.struct:
      return writeValue({}, plan);
    case typeCodes.quantity:
      return writeValue("0", plan);
    case typeCodes.duration:
      return writeValue("0s", plan);
    case typeCodes.intOrString:
      return writeValue(0, plan);
    case typeCodes.schemaOrBool:
      return writeValue(false, plan);
    case typeCodes.float64:
      return out.double(0);
    default:
      return out.byte(0); // a zero number, or nothing of some length
  }
}
