import type { Encodable } from "@coxswain/wire/protobuf";
import type {
  DeleteResult,
  DeleteWrite,
  PutResult,
  PutWrite,
  RangeCheck,
  TransactionResult,
  Write,
} from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import { checkExpected, checkPut, checkWrites } from "../local/check-write.js";
import type { EtcdClient } from "./etcd-client.js";
import { recordOf } from "./record.js";
import { comparison, type compare as comparisonMessage, type requestOp, rpc } from "./rpc.js";

/** etcd's own default limit, which counts comparisons and writes apart. */
const maxOperations = 128;
const noEnd = new Uint8Array(0);

const unchanged = (key: string, expected: number) => ({
  result: comparison.equal,
  target: comparison.modified,
  key,
  modRevision: expected,
});
const exists = (key: string) => ({ result: comparison.greater, target: comparison.created, key, createRevision: 0 });
const look = (key: string) => ({ range: { key, rangeEnd: noEnd } });
/** To etcd a zero byte as the end is none, and as the key the first there can be. */
const spanOf = ({ key, end }: RangeCheck) => ({ key: key || "\u0000", rangeEnd: end ?? new Uint8Array(1) });
/** All keys of the range; where it has none, a key that was never written is compared. */
const unchangedRange = (check: RangeCheck) => ({
  result: comparison.less,
  target: comparison.modified,
  ...spanOf(check),
  modRevision: check.expected + 1,
});
const lookForLater = (check: RangeCheck) => ({
  range: { ...spanOf(check), limit: 1, minModRevision: check.expected + 1 },
});
const putOf = ({ key, value, lease }: PutWrite) => ({ put: { key, value, lease: BigInt(lease ?? 0) } });
const deleteOf = ({ key }: DeleteWrite) => ({ delete: { key, rangeEnd: noEnd, previous: true } });

/** One transaction: written if nobody was faster, and otherwise answered with what is there, in the same step. */
export async function put(client: EtcdClient, write: PutWrite, signal?: AbortSignal): Promise<PutResult> {
  checkPut(write);
  const { header, succeeded, responses } = await client.call(
    rpc.transaction,
    { compare: [unchanged(write.key, write.expected)], success: [putOf(write)], failure: [look(write.key)] },
    { kind: "write", signal },
  );
  if (succeeded) return { kind: "written", revision: header!.revision };
  const current = responses[0]?.range?.keyValues[0];
  return { kind: "conflict", current: current && recordOf(current) };
}

export async function remove(client: EtcdClient, write: DeleteWrite, signal?: AbortSignal): Promise<DeleteResult> {
  checkExpected(write);
  const { header, succeeded, responses } = await client.call(
    rpc.transaction,
    {
      compare: [unchanged(write.key, write.expected), exists(write.key)],
      success: [deleteOf(write)],
      failure: [look(write.key)],
    },
    { kind: "write", signal },
  );
  const previous = responses[0]?.delete?.previous[0];
  if (succeeded && previous) return { kind: "deleted", revision: header!.revision, previous: recordOf(previous) };
  const current = responses[0]?.range?.keyValues[0];
  return { kind: "conflict", current: current && recordOf(current) };
}

export async function transact(
  client: EtcdClient,
  writes: readonly Write[],
  signal?: AbortSignal,
): Promise<TransactionResult> {
  checkWrites(writes);
  if (writes.length > maxOperations)
    throw new StoreError(
      "invalid",
      `a transaction over etcd has at most ${maxOperations} writes, not ${writes.length}`,
    );
  const compare = writes.flatMap((write): Encodable<typeof comparisonMessage>[] => {
    if (write.op === "check range") return [unchangedRange(write)];
    return write.op === "delete" && write.expected === 0
      ? [unchanged(write.key, 0), exists(write.key)]
      : [unchanged(write.key, write.expected)];
  });
  const success = writes.flatMap((write): Encodable<typeof requestOp>[] =>
    write.op === "put"
      ? [putOf(write)]
      : write.op === "delete"
        ? [{ delete: { key: write.key, rangeEnd: noEnd } }]
        : [],
  );
  const { header, succeeded, responses } = await client.call(
    rpc.transaction,
    {
      compare,
      success,
      failure: writes.map((write) => (write.op === "check range" ? lookForLater(write) : look(write.key))),
    },
    { kind: success.length > 0 ? "write" : "read", signal },
  );
  if (succeeded) return { kind: "written", revision: header!.revision };
  const currents = responses.map((response) => response.range?.keyValues[0]);
  const index = writes.findIndex((write, at) =>
    write.op === "check range"
      ? currents[at] !== undefined
      : (currents[at]?.modRevision ?? 0) !== write.expected || (write.op === "delete" && !currents[at]),
  );
  const current = currents[index];
  return { kind: "conflict", index, current: current && recordOf(current) };
}
