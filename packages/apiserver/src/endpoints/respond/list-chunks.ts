import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { ListAnswer } from "../../request/answer.js";
import type { ListText } from "../../request/form.js";
import { ByteBuffer } from "./byte-buffer.js";

/** Small enough to stay in a core's cache on the way to the cipher, and that others' requests wait for no more than one of them. */
const chunkBytes = 192 << 10;
/** Where the last item of a chunk fits, too, as most do. */
export const listBufferBytes = 256 << 10;
/** What it takes to make text of a stored byte where it is not copied. */
const microsPerByte = 0.02;

/**
 * A list as chunks of about 192 KiB, made as they are taken. Between them, where items are not just copied, stands about how many
 * microseconds the last one took: others may run there. Buffers are used in turn: a chunk stays as it is until the one after the next
 * is asked for, so at most one may be under way while the next is being made.
 */
export function* listChunks(
  answer: ListAnswer,
  text: ListText,
  buffer = new ByteBuffer(roomFor(answer)),
): Generator<Uint8Array | number, void> {
  const isCopied = text.mark !== undefined;
  buffer.append(text.before(0));
  let first = true;
  for (const entry of answer.entries) {
    if (!first) buffer.append(text.separator);
    text.item(entry, buffer);
    first = false;
    if (buffer.used >= chunkBytes) yield buffer.take();
    if (!isCopied) yield entry.length * microsPerByte;
  }
  buffer.append(text.after);
  yield buffer.last();
}

/** The next chunk; others run before it where it takes long to make. */
export async function nextChunk(
  chunks: Generator<Uint8Array | number, void>,
  scheduler: Pick<Scheduler, "yield">,
): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = chunks.next();
    if (done || typeof value !== "number") return value as Uint8Array | undefined;
    const pause = scheduler.yield(value);
    if (pause) await pause;
  }
}

/** Most lists are short. An answer is about as long as what is stored. */
function roomFor({ entries }: ListAnswer): number {
  let bytes = 1024;
  for (const { length } of entries) if ((bytes += length + 128) >= listBufferBytes) return listBufferBytes;
  return bytes;
}
