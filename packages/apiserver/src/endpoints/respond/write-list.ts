import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { ListAnswer } from "../../request/answer.js";
import type { ListText } from "../../request/form.js";
import type { RequestContext } from "../../request/request-context.js";
import type { ResponseSink } from "../../request/response-sink.js";
import { acceptsGzip, gzipHeaders, gzipThreshold } from "./gzip/accepts-gzip.js";
import { deflateSegment, GzipMember, gzipHeader } from "./gzip/gzip-member.js";
import { gzipList } from "./gzip/list-segments.js";
import { blocksOf, encodeBlocks } from "./list-blocks.js";
import { giveBackListBuffer, takeListBuffer } from "./list-buffers.js";
import { listChunks, nextChunk } from "./list-chunks.js";

type Headers = Record<string, string | string[]>;

/** Writes a list by the way that costs least: kept segments, kept blocks, or chunk by chunk. */
export function writeList(
  sink: ResponseSink,
  headers: Headers,
  answer: ListAnswer,
  text: ListText,
  { request, scheduler }: RequestContext,
): Promise<void> {
  const gzip = acceptsGzip(request.header("accept-encoding"));
  if (gzip && (text.sized || answer.leaves) && text.mark !== undefined && isLong(answer))
    return writeSegments(sink, headers, answer, text);
  if (text.sized) return writeBlocks(sink, headers, answer, text, scheduler);
  return writeChunks(sink, headers, answer, text, { gzip, scheduler });
}

/** By the stored length of the entries, which is about that of the answer. */
function isLong({ entries }: ListAnswer): boolean {
  let length = 0;
  for (const entry of entries) if ((length += entry.length) > gzipThreshold) return true;
  return false;
}

async function writeSegments(sink: ResponseSink, headers: Headers, answer: ListAnswer, text: ListText): Promise<void> {
  const parts = await gzipList(blocksOf(answer), text);
  headers["content-length"] = String(parts.reduce((sum, part) => sum + part.length, 0));
  sink.head(200, Object.assign(headers, gzipHeaders));
  const writes = grouped(parts);
  const last = writes.pop() ?? [];
  for (const group of writes) await sink.send(Buffer.concat(group));
  sink.end(Buffer.concat(last));
}

/** Parts are small, and writes cost: several go in one. They are joined when their turn comes, so that an answer holds one write at a time. */
const writeBytes = 256 << 10;

function grouped(parts: readonly Uint8Array[]): Uint8Array[][] {
  const groups: Uint8Array[][] = [[]];
  let length = 0;
  for (const part of parts) {
    if (length >= writeBytes) {
      groups.push([]);
      length = 0;
    }
    groups.at(-1)?.push(part);
    length += part.length;
  }
  return groups;
}

async function writeBlocks(
  sink: ResponseSink,
  headers: Headers,
  answer: ListAnswer,
  text: ListText,
  scheduler: Scheduler,
): Promise<void> {
  const blocks: Uint8Array[] = [];
  let length = 0;
  for await (const block of encodeBlocks(blocksOf(answer), text, scheduler)) {
    blocks.push(block);
    length += block.length;
  }
  const before = text.before(length);
  headers["content-length"] = String(before.length + length + text.after.length);
  sink.head(200, headers);
  sink.write(before);
  for (const block of blocks) await sink.send(block);
  sink.end(text.after);
}

async function writeChunks(
  sink: ResponseSink,
  headers: Headers,
  answer: ListAnswer,
  text: ListText,
  { gzip, scheduler }: { readonly gzip: boolean; readonly scheduler: Scheduler },
): Promise<void> {
  // The buffer is shared, so only for sinks that report when they hold none of it any more.
  const buffer = sink.isEmpty ? takeListBuffer() : undefined;
  const chunks = listChunks(answer, text, buffer);
  let chunk = (await nextChunk(chunks, scheduler)) as Uint8Array;
  let next = await nextChunk(chunks, scheduler);
  const compress = gzip && (next !== undefined || chunk.length > gzipThreshold);
  if (next === undefined && !compress) headers["content-length"] = String(chunk.length);
  sink.head(200, compress ? Object.assign(headers, gzipHeaders) : headers);
  const member = new GzipMember();
  if (compress) sink.write(gzipHeader);
  for (;;) {
    if (compress) {
      const segment = await deflateSegment(chunk);
      member.add(segment);
      await sink.send(segment.deflated);
    }
    if (next === undefined) break;
    if (!compress) await sink.send(chunk);
    chunk = next;
    next = await nextChunk(chunks, scheduler);
  }
  sink.end(compress ? member.end() : chunk);
  if (buffer && (compress || sink.isEmpty)) giveBackListBuffer(buffer);
}
