import { ByteCollector } from "@coxswain/wire/bytes";
import { StoreError } from "../contract/store-error.js";

/**
 * What travels over the socket, in both directions: the length of the head and of the body (four bytes each, little-endian),
 * the head as JSON, and the body as it is.
 */
export interface Frame {
  readonly head: unknown;
  readonly body: Buffer;
}

const lengthsBytes = 8;

/** In pieces, so that values need not be copied into one buffer first. */
export function encodeFrame(head: unknown, body: readonly Uint8Array[] = []): Uint8Array[] {
  const json = Buffer.from(JSON.stringify(head));
  const lengths = Buffer.allocUnsafe(lengthsBytes);
  lengths.writeUInt32LE(json.length, 0);
  lengths.writeUInt32LE(
    body.reduce((sum, part) => sum + part.length, 0),
    4,
  );
  return [lengths, json, ...body];
}

/** The frames of a stream of bytes, until it ends between two of them. @throws StoreError when it ends elsewhere, or is none of ours */
export async function* readFrames(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Frame, void> {
  const bytes = new ByteCollector();
  for await (const chunk of source) {
    bytes.add(chunk);
    for (let frame = takeFrame(bytes, maxBytes); frame; frame = takeFrame(bytes, maxBytes)) yield frame;
  }
  if (bytes.length > 0)
    throw new StoreError("unavailable", "the connection to the store ended in the middle of a message");
}

/** Undefined: it is not here as a whole. */
function takeFrame(bytes: ByteCollector, maxBytes: number): Frame | undefined {
  const lengths = bytes.peek(lengthsBytes);
  if (!lengths) return undefined;
  const headEnd = lengthsBytes + lengths.readUInt32LE(0);
  const end = headEnd + lengths.readUInt32LE(4);
  if (end > maxBytes)
    throw new StoreError("invalid", `a message of ${end} bytes is more than the ${maxBytes} that are taken here`);
  if (bytes.length < end) return undefined;
  const frame = bytes.take(end);
  return { head: parseHead(frame.subarray(lengthsBytes, headEnd)), body: frame.subarray(headEnd) };
}

function parseHead(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (err) {
    throw new StoreError("invalid", "a message on the store's socket is not JSON", { cause: err });
  }
}
