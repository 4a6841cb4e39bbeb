import { startTimeSlice } from "@coxswain/runtime/wait";
import type { ListAnswer } from "../../request/answer.js";
import { ByteBuffer } from "./byte-buffer.js";
import type { ListText } from "../../request/form.js";
import { gzipThreshold } from "./gzip/accepts-gzip.js";
import type { StartSlice } from "./request-slice.js";

/** Small enough to stay in a core's cache on the way to the cipher, and that others' requests wait for no more than one of them. */
const chunkBytes = 192 << 10;
/** Where the last item of a chunk fits, too, as most do. */
export const listBufferBytes = 256 << 10;
/** So many stored bytes are written between two looks at the clock. */
const lookBytes = 16 << 10;
/** Enough to decide by the first chunk whether the whole is long enough to be compressed. */
const minChunkBytes = gzipThreshold + 1;

/**
 * A list as chunks of about 192 KiB, made as they are taken; shorter ones where making them takes long, so that others have
 * their turn between two. Buffers are used in turn: a chunk stays as it is until the one after the next is asked for, so at
 * most one may be under way while the next is being made.
 */
export function* listChunks(
  answer: ListAnswer,
  text: ListText,
  buffer = new ByteBuffer(roomFor(answer)),
  startSlice: StartSlice = startTimeSlice,
): Generator<Uint8Array, void> {
  let slice = startSlice();
  let unseen = 0;
  buffer.append(text.before(0));
  let first = true;
  for (const entry of answer.entries) {
    if (!first) buffer.append(text.separator);
    text.item(entry, buffer);
    first = false;
    unseen += entry.length;
    if (buffer.used < chunkBytes) {
      if (unseen < lookBytes || buffer.used < minChunkBytes) continue;
      unseen = 0;
      if (!slice.isOver()) continue;
    }
    yield buffer.take();
    slice = startSlice();
  }
  buffer.append(text.after);
  yield buffer.last();
}

/** Most lists are short. An answer is about as long as what is stored. */
function roomFor({ entries }: ListAnswer): number {
  let bytes = 1024;
  for (const { length } of entries) if ((bytes += length + 128) >= listBufferBytes) return listBufferBytes;
  return bytes;
}
