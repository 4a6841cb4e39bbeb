import type { Decoded, MessageType, ScalarType } from "./message.js";
import { type FieldPlan, planOf, wire } from "./plan.js";
import { ProtobufError, Reader } from "./reader.js";

/** Deeper nesting is refused: it would exhaust the stack. */
export const maxDepth = 100;

type Mutable = Record<string, unknown>;

/** Unknown fields are passed over. @throws ProtobufError */
export function decode<M extends MessageType>(type: M, bytes: Uint8Array): Decoded<M> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readMessage(new Reader(buffer), type, 0) as Decoded<M>;
}

function readMessage(reader: Reader, type: MessageType, depth: number): Mutable {
  if (depth > maxDepth) throw new ProtobufError("messages are nested too deeply");
  const plan = planOf(type);
  const result: Mutable = {};
  // All fields in table order: every message of a type has one shape, which keeps access fast.
  for (const field of plan.fields) result[field.name] = zero(field);
  while (!reader.done) {
    const key = reader.varint();
    const wireType = key % 8;
    const field = plan.byNumber.get(Math.floor(key / 8));
    if (!field) reader.skip(wireType);
    else readField(reader, field, { wireType, result, depth });
  }
  return result;
}

function readField(reader: Reader, field: FieldPlan, at: { wireType: number; result: Mutable; depth: number }): void {
  const { wireType, result, depth } = at;
  if (field.packed && wireType === wire.bytes) {
    const items = reader.nested();
    while (!items.done) (result[field.name] as unknown[]).push(readScalar(items, field.scalar!));
    return;
  }
  if (wireType !== field.wireType)
    throw new ProtobufError(
      `field ${field.number} (${field.name}) has wire type ${wireType} instead of ${field.wireType}`,
    );
  if (field.entry) {
    const entry = readMessage(reader.nested(), field.entry, depth + 1);
    (result[field.name] as Map<string, unknown>).set(entry["key"] as string, entry["value"]);
    return;
  }
  const value = field.scalar
    ? readScalar(reader, field.scalar)
    : readMessage(reader.nested(), field.inner(), depth + 1);
  if (field.repeated) (result[field.name] as unknown[]).push(value);
  else result[field.name] = value;
}

const noBytes = Buffer.alloc(0);

function zero(field: FieldPlan): unknown {
  if (field.repeated) return [];
  if (field.entry) return new Map();
  if (field.optional || !field.scalar) return undefined;
  switch (field.scalar) {
    case "string":
      return "";
    case "bytes":
      return noBytes;
    case "bool":
      return false;
    case "bigint64":
      return 0n;
    default:
      return 0;
  }
}

function readScalar(reader: Reader, type: ScalarType): unknown {
  switch (type) {
    case "string":
      return reader.string();
    case "bytes":
      return reader.bytes();
    case "bool":
      return reader.varint() !== 0;
    case "int32":
    case "enum":
      return reader.signed() | 0;
    case "uint32":
      return reader.varint() >>> 0;
    case "int64":
      return reader.signed();
    case "uint64":
      return reader.varint();
    case "bigint64":
      return reader.big();
    case "double":
      return reader.double();
  }
}
