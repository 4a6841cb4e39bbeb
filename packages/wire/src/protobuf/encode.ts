import type { Encodable, MessageType, ScalarType } from "./message.js";
import { type FieldPlan, planOf, wire } from "./plan.js";
import { Writer } from "./writer.js";

export function encode<M extends MessageType>(type: M, value: Encodable<M>): Buffer {
  const writer = new Writer();
  writeMessage(writer, type, value as Readonly<Record<string, unknown>>);
  return writer.finish();
}

function writeMessage(writer: Writer, type: MessageType, value: Readonly<Record<string, unknown>>): void {
  for (const field of planOf(type).fields) {
    const member = value[field.name];
    if (member === undefined) continue;
    if (field.entry) writeMap(writer, field, member as ReadonlyMap<string, unknown>);
    else if (field.packed) writePacked(writer, field, member as readonly unknown[]);
    else if (field.repeated) for (const item of member as readonly unknown[]) writeField(writer, field, item);
    else if (field.optional || !isZero(member)) writeField(writer, field, member);
  }
}

/** Proto3 leaves zero values out. A sub-message that is there is never zero. */
const isZero = (value: unknown): boolean =>
  value === 0 || value === "" || value === false || value === 0n || (value instanceof Uint8Array && value.length === 0);

function writeField(writer: Writer, field: FieldPlan, value: unknown): void {
  writer.varint(field.number * 8 + field.wireType);
  if (field.scalar) writeScalar(writer, field.scalar, value);
  else writer.nested(() => writeMessage(writer, field.inner(), value as Readonly<Record<string, unknown>>));
}

function writePacked(writer: Writer, field: FieldPlan, items: readonly unknown[]): void {
  if (items.length === 0) return;
  writer.varint(field.number * 8 + wire.bytes);
  writer.nested(() => items.forEach((item) => writeScalar(writer, field.scalar!, item)));
}

function writeMap(writer: Writer, field: FieldPlan, map: ReadonlyMap<string, unknown>): void {
  for (const [key, value] of map) {
    writer.varint(field.number * 8 + wire.bytes);
    writer.nested(() => writeMessage(writer, field.entry!, { key, value }));
  }
}

function writeScalar(writer: Writer, type: ScalarType, value: unknown): void {
  switch (type) {
    case "string":
      return writer.string(value as string);
    case "bytes":
      return writer.bytes(value as Uint8Array);
    case "bool":
      return writer.varint(value ? 1 : 0);
    case "bigint64":
      return writer.bigVarint(value as bigint);
    case "double":
      return writer.double(value as number);
    case "int32":
    case "uint32":
    case "enum":
    case "int64":
    case "uint64":
      return writer.varint(value as number);
  }
}
