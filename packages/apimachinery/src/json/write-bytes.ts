import { escapeLikeGo } from "./escape-like-go.js";

const encoder = new TextEncoder();
/** Where values are written until all of one is there; one at a time, so it is the same for all. */
let room = new Uint8Array(16 * 1024);
let used = 0;
/** What a larger value needed is not kept. */
const keptBytes = 1024 * 1024;

/** Bytes of UTF-8 that stand for themselves in a string. Those that begin U+2028, U+2029 or what replaces half a pair are looked at more closely. */
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || '"\\<>&'.includes(String.fromCharCode(byte)) || byte === 0xe2 || byte === 0xef ? 0 : 1,
);
/** Strings beyond this are copied at once and looked through afterwards. */
const shortString = 32;

/** The bytes of plain JSON data, escaped as Go does. No text is made of them first: that would be twice as much garbage as there are bytes. */
export function writeJsonBytes(value: unknown): Uint8Array {
  used = 0;
  writeValue(value ?? null);
  const bytes = room.slice(0, used);
  if (room.length > keptBytes) room = new Uint8Array(keptBytes);
  return bytes;
}

function writeValue(value: unknown): void {
  if (typeof value === "string") writeString(value);
  else if (value === null) writeAscii("null");
  else if (typeof value !== "object")
    writeAscii(typeof value === "bigint" ? value.toString() : JSON.stringify(value ?? null));
  else if (Array.isArray(value)) writeList(value);
  else writeObject(value as Readonly<Record<string, unknown>>);
}

function writeList(list: readonly unknown[]): void {
  writeByte(0x5b); // [
  for (let at = 0; at < list.length; at++) {
    if (at > 0) writeByte(0x2c); // ,
    writeValue(list[at]);
  }
  writeByte(0x5d); // ]
}

/** `for…in` names own members here: plain data has nothing enumerable in its prototype. */
function writeObject(object: Readonly<Record<string, unknown>>): void {
  let isFirst = true;
  writeByte(0x7b); // {
  for (const name in object) {
    const member = object[name];
    if (member === undefined) continue;
    if (!isFirst) writeByte(0x2c); // ,
    isFirst = false;
    writeString(name);
    writeByte(0x3a); // :
    writeValue(member);
  }
  writeByte(0x7d); // }
}

function writeString(text: string): void {
  writeByte(0x22); // "
  const start = used;
  reserve(text.length * 3);
  if (text.length > shortString) {
    used += encoder.encodeInto(text, room.subarray(used)).written;
    for (let at = start; at < used; at++) if (isPlain[room[at] as number] === 0) return escapeFrom(start, text);
  } else {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit >= 0x80 || isPlain[unit] === 0) return escapeFrom(start, text);
      room[used++] = unit;
    }
  }
  writeByte(0x22); // "
}

/** Writes a string again from where it began, with what it needs; the quotes as well. */
function escapeFrom(start: number, text: string): void {
  const escaped = escapeLikeGo(JSON.stringify(text));
  used = start - 1;
  reserve(escaped.length * 3);
  used += encoder.encodeInto(escaped, room.subarray(used)).written;
}

function writeAscii(text: string): void {
  reserve(text.length);
  for (let at = 0; at < text.length; at++) room[used++] = text.charCodeAt(at);
}

function writeByte(byte: number): void {
  if (used === room.length) reserve(1);
  room[used++] = byte;
}

function reserve(bytes: number): void {
  if (room.length - used >= bytes) return;
  const larger = new Uint8Array(Math.max(room.length * 2, used + bytes));
  larger.set(room.subarray(0, used));
  room = larger;
}
