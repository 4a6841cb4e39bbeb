import { GrpcError } from "@coxswain/wire/grpc";
import { isCheck } from "../contract/is-check.js";
import type { KeyRecord, KeyValueStore, LeaseId, RangeCheck, Write } from "../contract/key-value-store.js";
import { isTrue } from "./compare.js";
import { etcdKeyValue, type LeaseNameOf } from "./etcd-key-value.js";
import { isAmong, keysOf, textOf } from "./key-range.js";
import type { DeleteRangeRequest, PutRequest, RequestOp, ResponseOp, TxnRequest, TxnResponse } from "./messages.js";
import { readRange, recordsOf } from "./read-range.js";

/** etcd's default for comparisons, and for operations of either branch (`--max-txn-ops`). */
const maxOperations = 128;

export interface TransactionDeps {
  readonly store: KeyValueStore;
  /** The store's lease of an id that a client names. @throws GrpcError */
  readonly leaseOf: (name: bigint) => LeaseId;
  readonly leaseName: LeaseNameOf;
}

/** A branch as the store carries it out: its writes, each with the revision that was read, and what it answers. */
interface Plan {
  readonly writes: Write[];
  /** That no key has appeared in a range whose keys are deleted. */
  readonly ranges: RangeCheck[];
  readonly responses: ResponseOp[];
}

/** What the choice of the branch depends on. */
interface Compared {
  readonly keys: Map<string, KeyRecord | undefined>;
  readonly ranges: RangeCheck[];
}

/**
 * etcd's transaction over a store that compares revisions: everything is read at one revision, and the writes depend on it; who loses a race
 * reads again. So the result is as if nobody else had been there.
 */
export async function transact(deps: TransactionDeps, request: TxnRequest): Promise<TxnResponse> {
  checkTransaction(request);
  for (;;) {
    const at = await deps.store.readRevision();
    const compared: Compared = { keys: new Map(), ranges: [] };
    const succeeded = await compareAll(deps, request, at, compared);
    const plan = await planBranch(deps, succeeded ? request.success : request.failure, at);
    // What changes nothing was read at one revision, and is answered as of it.
    if (plan.writes.every(isCheck)) return { header: { revision: at }, succeeded, responses: plan.responses };
    const written = new Set(plan.writes.map(({ key }) => key));
    const checks = [...compared.keys].flatMap(([key, record]): Write[] =>
      written.has(key) ? [] : [{ op: "check", key, expected: record?.revision ?? 0 }],
    );
    const result = await deps.store.transaction([...plan.writes, ...plan.ranges, ...checks, ...compared.ranges]);
    if (result.kind === "written")
      return { header: { revision: result.revision }, succeeded, responses: plan.responses };
  }
}

/** @throws GrpcError in etcd's words (`server/etcdserver/api/v3rpc/key.go`, checkTxnRequest) */
function checkTransaction({ compare, success, failure }: TxnRequest): void {
  if (Math.max(compare.length, success.length, failure.length) > maxOperations)
    throw new GrpcError("INVALID_ARGUMENT", "etcdserver: too many operations in txn request");
  for (const branch of [success, failure]) {
    const puts = branch.flatMap(({ request_put }) => (request_put ? [textOf(request_put.key)] : []));
    const deleted = branch.flatMap(({ request_delete_range: range }) => (range ? [keysOf(range)] : []));
    if (new Set(puts).size < puts.length || puts.some((put) => deleted.some((keys) => isAmong(keys, put))))
      throw new GrpcError("INVALID_ARGUMENT", "etcdserver: duplicate key given in txn request");
    if (branch.some(({ request_txn }) => request_txn))
      throw new GrpcError("UNIMPLEMENTED", "this store has no transactions within transactions");
    if (branch.some(isWrite) && branch.some(({ request_range: range }) => range && range.range_end.length > 0))
      throw new GrpcError("UNIMPLEMENTED", "this store reads no ranges in a transaction that writes");
  }
}

const isWrite = ({ request_put, request_delete_range }: RequestOp): boolean =>
  request_put !== undefined || request_delete_range !== undefined;

async function compareAll(
  { store, leaseName }: TransactionDeps,
  { compare }: TxnRequest,
  at: number,
  compared: Compared,
): Promise<boolean> {
  let isEqual = true;
  for (const one of compare) {
    const keys = keysOf(one);
    const records = await recordsOf(store, keys, at);
    if (keys.kind === "one") compared.keys.set(keys.key, records[0]);
    else compared.ranges.push(rangeCheck(one, at));
    for (const record of records) compared.keys.set(record.key, record);
    // Of a range all keys must compare; a range without keys compares as a key that is not there, for values never (`applyCompares`).
    const subjects = records.length > 0 ? records : [undefined];
    if (!subjects.every((record) => isTrue(one, record, leaseName))) isEqual = false;
  }
  return isEqual;
}

async function planBranch(deps: TransactionDeps, operations: readonly RequestOp[], at: number): Promise<Plan> {
  const plan: Plan = { writes: [], ranges: [], responses: [] };
  const isReadOnly = !operations.some(isWrite);
  for (const { request_range, request_put, request_delete_range } of operations) {
    if (request_range) {
      const { records, more, count } = await readRange(deps.store, request_range, request_range.revision || at);
      const kvs = records.map((record) => etcdKeyValue(record, deps.leaseName));
      plan.responses.push({ response_range: { kvs, more, count } });
      const keys = keysOf(request_range);
      if (!isReadOnly && keys.kind === "one" && !plan.writes.some(({ key }) => key === keys.key))
        plan.writes.push({ op: "check", key: keys.key, expected: records[0]?.revision ?? 0 });
    } else if (request_put) await planPut(deps, request_put, at, plan);
    else if (request_delete_range) await planDelete(deps, request_delete_range, at, plan);
  }
  return plan;
}

async function planPut(deps: TransactionDeps, put: PutRequest, at: number, { writes, responses }: Plan): Promise<void> {
  if (put.key.length === 0) throw new GrpcError("INVALID_ARGUMENT", "etcdserver: key is not provided");
  if (put.ignore_value && put.value.length > 0)
    throw new GrpcError("INVALID_ARGUMENT", "etcdserver: value is provided");
  if (put.ignore_lease && put.lease !== 0n) throw new GrpcError("INVALID_ARGUMENT", "etcdserver: lease is provided");
  const key = textOf(put.key);
  const current = await deps.store.get(key, { at });
  if (!current && (put.ignore_value || put.ignore_lease))
    throw new GrpcError("INVALID_ARGUMENT", "etcdserver: key not found");
  const lease = put.ignore_lease ? current?.lease : put.lease === 0n ? undefined : deps.leaseOf(put.lease);
  writes.push({
    op: "put",
    key,
    value: put.ignore_value ? (current?.value ?? put.value) : Buffer.from(put.value),
    expected: current?.revision ?? 0,
    ...(lease !== undefined && { lease }),
  });
  responses.push({
    response_put: put.prev_kv && current ? { prev_kv: etcdKeyValue(current, deps.leaseName) } : {},
  });
}

async function planDelete(
  deps: TransactionDeps,
  request: DeleteRangeRequest,
  at: number,
  { writes, ranges, responses }: Plan,
): Promise<void> {
  const keys = keysOf(request);
  const gone = new Set(writes.flatMap(({ op, key }) => (op === "delete" ? [key] : [])));
  const records = (await recordsOf(deps.store, keys, at)).filter(({ key }) => !gone.has(key));
  for (const { key, revision } of records) writes.push({ op: "delete", key, expected: revision });
  // That there was nothing to delete is part of the answer: it must still be so when the other operations are carried out.
  if (keys.kind === "many") ranges.push(rangeCheck(request, at));
  else if (records.length === 0 && !gone.has(keys.key)) writes.push({ op: "check", key: keys.key, expected: 0 });
  responses.push({
    response_delete_range: {
      deleted: records.length,
      ...(request.prev_kv && { prev_kvs: records.map((record) => etcdKeyValue(record, deps.leaseName)) }),
    },
  });
}

/** A range that a request names, and when it was read. */
function rangeCheck(
  { key, range_end }: { readonly key: Uint8Array; readonly range_end: Uint8Array },
  at: number,
): RangeCheck {
  const isOf = (bytes: Uint8Array): boolean => bytes.length === 1 && bytes[0] === 0;
  return {
    op: "check range",
    key: isOf(key) ? "" : textOf(key),
    end: isOf(range_end) ? undefined : range_end,
    expected: at,
  };
}
