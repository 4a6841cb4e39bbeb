import { ByteBuffer } from "./byte-buffer.js";
import { listBufferBytes } from "./list-chunks.js";

const maxPooledBuffers = 4;
const spare: ByteBuffer[] = [];

/** Memory beside the heap makes V8 look through the whole heap, again and again: most lists are written into the same buffers. */
export const takeListBuffer = (): ByteBuffer => spare.pop() ?? new ByteBuffer(listBufferBytes);

/** Nobody may have anything of it any more. */
export function giveBackListBuffer(buffer: ByteBuffer): void {
  buffer.clear();
  if (buffer.size === listBufferBytes && spare.length < maxPooledBuffers) spare.push(buffer);
}
