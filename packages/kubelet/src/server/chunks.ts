import type { Readable } from "node:stream";

/** What a stream delivers. Unlike its own iterator, leaving the loop does not destroy it: an answer may still be under way. */
export const chunksOf = (stream: Readable): AsyncIterable<Buffer> =>
  stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
