import { DecodeError } from "../json/decode-error.js";
import { setOwn } from "../own/index.js";
import type { SchemaNode } from "../schema/index.js";
import { decodeMessage } from "./decode.js";
import { begin, writeNested } from "./encode.js";
import { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

/** "k8s" and a zero: what every object in Kubernetes protobuf begins with. */
const prefix = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

/** runtime.Unknown: which kind of object the message is. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** Where the message is in the bytes. */
  readonly rawStart: number;
  readonly rawEnd: number;
}

/** An object in its envelope, as it travels in `application/vnd.kubernetes.protobuf`. Kind and version are the object's own. */
export function encodeProtobufObject(object: unknown, node: SchemaNode): Uint8Array {
  const { kind = "", apiVersion = "" } = object as { kind?: string; apiVersion?: string };
  const out = beginEnvelope();
  writeNested(object, node);
  return finishEnvelope(out, { kind, apiVersion });
}

/** A message that is encoded already, put into its envelope. */
export function wrapEnvelope(
  message: Uint8Array,
  type: { readonly apiVersion: string; readonly kind: string },
): Uint8Array {
  const out = beginEnvelope();
  out.raw(message);
  out.varint(message.length);
  return finishEnvelope(out, type);
}

/** Messages are written from their end: first the content encoding and type, which Go writes though they are empty. */
function beginEnvelope(): Writer {
  const out = begin();
  out.raw(Uint8Array.of(0x1a, 0x00, 0x22, 0x00));
  return out;
}

function finishEnvelope(
  out: Writer,
  { kind, apiVersion }: { readonly kind: string; readonly apiVersion: string },
): Uint8Array {
  out.byte(0x12);
  const before = out.at;
  out.string(kind);
  out.byte(0x12);
  out.string(apiVersion);
  out.byte(0x0a);
  out.varint(before - out.at);
  out.byte(0x0a);
  out.raw(prefix);
  return out.finish();
}

/** Throws DecodeError, in upstream's words if the bytes are no Kubernetes protobuf. */
export function readEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new DecodeError("empty data");
  if (!isProtobuf(bytes))
    throw new DecodeError("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  if (bytes.length === prefix.length) throw new DecodeError("empty body");
  const reader = new Reader(bytes, prefix.length);
  const type = { apiVersion: "", kind: "" };
  let rawStart = bytes.length;
  let rawEnd = bytes.length;
  while (reader.at < bytes.length) {
    const tag = reader.varint();
    if (tag === 0x0a) readType(reader, reader.end(bytes.length), type);
    else if (tag === 0x12) {
      rawEnd = reader.end(bytes.length);
      rawStart = reader.at;
      reader.at = rawEnd;
    } else reader.skip(tag & 7, bytes.length);
  }
  return { ...type, rawStart, rawEnd };
}

function readType(reader: Reader, end: number, type: { apiVersion: string; kind: string }): void {
  while (reader.at < end) {
    const tag = reader.varint();
    if (tag === 0x0a) type.apiVersion = reader.string(reader.end(end));
    else if (tag === 0x12) type.kind = reader.string(reader.end(end));
    else reader.skip(tag & 7, end);
  }
}

export const isProtobuf = (bytes: Uint8Array): boolean => prefix.every((byte, at) => bytes[at] === byte);

/** The object in an envelope, in canonical form, with the envelope's kind and version as its own. Throws DecodeError. */
export function decodeProtobufObject(
  bytes: Uint8Array,
  node: SchemaNode,
  envelope: Envelope = readEnvelope(bytes),
): unknown {
  const message = decodeMessage(new Reader(bytes, envelope.rawStart), envelope.rawEnd, node) as Record<string, unknown>;
  const object: Record<string, unknown> = {};
  if (envelope.kind !== "") object.kind = envelope.kind;
  if (envelope.apiVersion !== "") object.apiVersion = envelope.apiVersion;
  for (const name in message) if (name !== "kind" && name !== "apiVersion") setOwn(object, name, message[name]);
  return object;
}
