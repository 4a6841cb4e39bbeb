import { DecodeError } from "../json/decode-error.js";
import { begin } from "./encode.js";
import { Reader } from "./reader.js";

/** metav1.WatchEvent: the type and an object in its envelope. */
export interface ProtobufWatchEvent {
  readonly type: string;
  readonly object: Uint8Array;
}

/** One frame of a protobuf watch: four bytes of length, then the event without an envelope of its own. */
export function encodeWatchFrame(event: ProtobufWatchEvent): Uint8Array {
  const out = begin();
  out.raw(event.object);
  out.varint(event.object.length);
  out.byte(0x0a);
  out.varint(-out.at);
  out.byte(0x12);
  out.string(event.type);
  out.byte(0x0a);
  const length = -out.at;
  out.raw(Uint8Array.of(length >>> 24, length >>> 16, length >>> 8, length));
  return out.finish();
}

/** Cuts a stream into frames: give it chunks as they come, take the frames that are whole. */
export class FrameReader {
  #rest = new Uint8Array(0);
  readonly #maxLength: number;

  /** `maxLength`: a longer frame is refused rather than gathered. @default 16 MiB */
  constructor(maxLength = 16 * 1024 * 1024) {
    this.#maxLength = maxLength;
  }

  push(chunk: Uint8Array): Uint8Array[] {
    const bytes = new Uint8Array(this.#rest.length + chunk.length);
    bytes.set(this.#rest);
    bytes.set(chunk, this.#rest.length);
    const view = new DataView(bytes.buffer);
    const frames: Uint8Array[] = [];
    let at = 0;
    while (at + 4 <= bytes.length) {
      const length = view.getUint32(at);
      if (length > this.#maxLength)
        throw new DecodeError(`a frame of ${length} bytes is longer than the ${this.#maxLength} allowed`);
      if (at + 4 + length > bytes.length) break;
      frames.push(bytes.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    }
    this.#rest = bytes.slice(at);
    return frames;
  }

  /** Whether the stream ended between two frames. */
  get complete(): boolean {
    return this.#rest.length === 0;
  }
}

/** The event in a frame. */
export function decodeWatchFrame(frame: Uint8Array): ProtobufWatchEvent {
  const reader = new Reader(frame);
  let type = "";
  let object = new Uint8Array(0);
  while (reader.at < frame.length) {
    const tag = reader.varint();
    if (tag === 0x0a) type = reader.string(reader.end(frame.length));
    else if (tag === 0x12) object = readRaw(reader, reader.end(frame.length));
    else reader.skip(tag & 7, frame.length);
  }
  return { type, object };
}

function readRaw(reader: Reader, end: number): Uint8Array<ArrayBuffer> {
  let raw = new Uint8Array(0);
  while (reader.at < end) {
    const tag = reader.varint();
    if (tag === 0x0a) {
      const stop = reader.end(end);
      raw = reader.bytes.slice(reader.at, stop) as Uint8Array<ArrayBuffer>;
      reader.at = stop;
    } else reader.skip(tag & 7, end);
  }
  return raw;
}
