import { GrpcError, type ServedMethod, serveStream } from "@coxswain/wire/grpc";
import { answering, headed } from "./answering.js";
import { etcdKeyValue } from "./etcd-key-value.js";
import { keysOf } from "./key-range.js";
import { type EtcdKeyValue, type RangeRequest, type RangeStreamResponse, rpc } from "./messages.js";
import type { TransactionDeps } from "./plan-transaction.js";
import { isFiltered, isSorted, readRange } from "./read-range.js";

const firstChunk = 10;
/** Chunks come to about this size: the number of keys in one is doubled or halved (`server/etcdserver/v3_server.go`, adjustChunkLimit). */
const chunkBytes = 1024 * 1024;

/** A range in chunks, all as of one revision, so that neither side holds all of it. */
export const rangeStreamMethod = (deps: TransactionDeps): ServedMethod =>
  serveStream(rpc.rangeStream, async ({ requests, send }) => {
    for await (const request of requests)
      return answering(async () => {
        for await (const chunk of chunksOf(deps, request)) await send(chunk);
      });
  });

async function* chunksOf(
  { store, leaseName }: TransactionDeps,
  request: RangeRequest,
): AsyncGenerator<RangeStreamResponse> {
  if (isSorted(request)) throw new GrpcError("UNIMPLEMENTED", "RangeStream does not support custom sort orders");
  if (isFiltered(request)) throw new GrpcError("UNIMPLEMENTED", "RangeStream does not support revision filters");
  const current = await store.readRevision();
  const at = request.revision || current;
  // Other ranges are read as a whole anyway.
  const isPaged = isPrefix(request);
  let [key, rest, size] = [request.key, request.limit > 0 ? request.limit : Number.POSITIVE_INFINITY, firstChunk];
  let total: number | undefined;
  for (;;) {
    const limit = isPaged && !request.count_only ? Math.min(size, rest) : request.limit;
    const { records, more, count } = await readRange(store, { ...request, key, limit }, at);
    total ??= count;
    rest -= records.length;
    const kvs = records.map((record) => etcdKeyValue(record, leaseName));
    const last = records.at(-1);
    // Header, `more` and count stand in the last chunk alone.
    if (!more || rest === 0 || !isPaged || !last) {
      yield { range_response: headed({ kvs, more, count: total }, current) };
      return;
    }
    yield { range_response: { kvs } };
    key = Buffer.from(`${last.key}\u0000`);
    size = nextSize(size, kvs);
  }
}

function isPrefix(request: RangeRequest): boolean {
  const keys = keysOf(request);
  return keys.kind === "many" && keys.end === undefined;
}

function nextSize(size: number, kvs: readonly EtcdKeyValue[]): number {
  const bytes = kvs.reduce((sum, { key, value }) => sum + (key?.length ?? 0) + (value?.length ?? 0), 0);
  if (bytes < chunkBytes / 2) return size * 2;
  return bytes > chunkBytes * 2 ? Math.max(1, size >> 1) : size;
}
