import { startTurn } from "@coxswain/apimachinery/wait";
import type { ListAnswer } from "../../server/answer.js";
import { ByteBuffer } from "./byte-buffer.js";
import type { ListText } from "./form.js";
import { gzipThreshold } from "./gzip/accepts-gzip.js";

const chunkBytes = 1 << 20;
/** Enough that the first chunk tells whether the whole is long enough to be compressed. */
const leastBytes = gzipThreshold + 1;

/**
 * A list as chunks of about 1 MiB, made as they are taken; shorter ones where making them takes long, so that others have
 * their turn between two. Buffers are used in turn: a chunk stays as it is until the one after the next is asked for, so at
 * most one may be under way while the next is being made.
 */
export function* listChunks(answer: ListAnswer, text: ListText): Generator<Uint8Array, void> {
  const buffer = new ByteBuffer();
  let turn = startTurn();
  buffer.append(text.before(0));
  let first = true;
  for (const entry of answer.entries) {
    if (!first) buffer.append(text.separator);
    text.item(entry, buffer);
    first = false;
    if (buffer.used < chunkBytes && (buffer.used < leastBytes || !turn.isOver())) continue;
    yield buffer.take();
    turn = startTurn();
  }
  buffer.append(text.after);
  yield buffer.take();
}
