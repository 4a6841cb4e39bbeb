import { GrpcError } from "@coxswain/wire/grpc";
import type { KeyRecord, KeyValueStore, LeaseId, RangeCheck, Write } from "../contract/key-value-store.js";
import { isTrue } from "./compare.js";
import { etcdKeyValue, type LeaseNameOf } from "./etcd-key-value.js";
import { isAmong, keysOf, textOf } from "./key-range.js";
import type {
  Compare,
  DeleteRangeRequest,
  PutRequest,
  RangeRequest,
  RequestOp,
  ResponseOp,
  TxnRequest,
  TxnResponse,
} from "./messages.js";
import { chooseRange, type RangeRead, readRange, recordsOf } from "./read-range.js";

export interface TransactionDeps {
  readonly store: KeyValueStore;
  /** The store's lease of an id that a client names. @throws GrpcError */
  readonly leaseOf: (name: bigint) => LeaseId;
  readonly leaseName: LeaseNameOf;
}

/** What the writes and answers depend on: each key as it was read, and that nothing has appeared in the ranges. */
export interface Dependencies {
  readonly keys: Map<string, KeyRecord | undefined>;
  readonly ranges: RangeCheck[];
}

/** The store's revisions around the writes of a transaction; equal where it writes nothing. */
export interface Revisions {
  readonly before: number;
  readonly after: number;
}

/** What is answered once the revisions are known. */
type Answer<T> = (revisions: Revisions) => T;

/** Keys as a request names them. */
interface Named {
  readonly key: Uint8Array;
  readonly range_end: Uint8Array;
}

/** Reads what a transaction needs as of one revision, and collects its writes and answers: one planner for each attempt. */
export class TransactionPlanner {
  readonly writes: Write[] = [];
  readonly read: Dependencies = { keys: new Map(), ranges: [] };
  /** What the operations so far wrote; undefined: the key is deleted. */
  readonly #written = new Map<string, ((revision: number) => KeyRecord) | undefined>();
  readonly #deps: TransactionDeps;
  readonly #store: KeyValueStore;
  readonly #at: number;

  constructor(deps: TransactionDeps, at: number) {
    this.#deps = deps;
    this.#store = deps.store;
    this.#at = at;
  }

  /** Comparisons are of what was there before the transaction, also those of transactions within it (`server/etcdserver/txn/txn.go`, `compareToPath`). */
  async plan({ compare, success, failure }: TxnRequest): Promise<Answer<Omit<TxnResponse, "header">>> {
    let succeeded = true;
    for (const one of compare) if (!(await this.#compares(one))) succeeded = false;
    const branch = succeeded ? success : failure;
    const answers: Answer<ResponseOp>[] = [];
    for (const operation of branch) answers.push(await this.#planOperation(operation));
    return (revisions) => ({ succeeded, responses: answers.map((answer) => answer(revisions)) });
  }

  async #compares(compare: Compare): Promise<boolean> {
    const records = await this.#readKeys(compare);
    // Of a range all keys must compare; a range without keys compares as a key that is not there, for values never (`applyCompares`).
    const subjects = records.length > 0 ? records : [undefined];
    return subjects.every((record) => isTrue(compare, record, this.#deps.leaseName));
  }

  async #planOperation(operation: RequestOp): Promise<Answer<ResponseOp>> {
    const { request_range, request_put, request_delete_range, request_txn } = operation;
    if (request_txn) {
      const answer = await this.plan(request_txn);
      return (revisions) => ({ response_txn: { header: {}, ...answer(revisions) } });
    }
    if (request_range) {
      const answer = await this.#planRange(request_range);
      const headerAt = this.#headerNow();
      return (at) => ({ response_range: { ...headerAt(at), ...answer(at) } });
    }
    if (request_put) {
      const answer = await this.#planPut(request_put);
      const headerAt = this.#headerNow();
      return (at) => ({ response_put: { ...headerAt(at), ...answer } });
    }
    if (!request_delete_range) return () => ({});
    const answer = await this.#planDelete(request_delete_range);
    const headerAt = this.#headerNow();
    return (at) => ({ response_delete_range: { ...headerAt(at), ...answer } });
  }

  /** An operation is answered with the revision before the transaction until something was written. */
  #headerNow(): Answer<{ readonly header: { readonly revision: number } }> {
    const isWritten = this.writes.length > 0;
    return ({ before, after }) => ({ header: { revision: isWritten ? after : before } });
  }

  /** A range is read with what the operations before it wrote; one of a past revision without that. */
  async #planRange(request: RangeRequest): Promise<Answer<ResponseOp["response_range"]>> {
    const shown = ({ records, more, count }: RangeRead): ResponseOp["response_range"] => ({
      kvs: records.map((record) => etcdKeyValue(record, this.#deps.leaseName)),
      more,
      count,
    });
    if (request.revision > 0) {
      const past = shown(await readRange(this.#store, request, request.revision));
      return () => past;
    }
    const keys = keysOf(request);
    const records = await this.#readKeys(request);
    const written = [...this.#written].filter(([key]) => isAmong(keys, key));
    return ({ after }) => {
      const now = new Map(records.map((record) => [record.key, record]));
      for (const [key, write] of written) {
        if (write) now.set(key, write(after));
        else now.delete(key);
      }
      return shown(chooseRange(request, [...now.values()].toSorted(byKey)));
    };
  }

  async #planPut(put: PutRequest): Promise<ResponseOp["response_put"]> {
    if (put.key.length === 0) throw new GrpcError("INVALID_ARGUMENT", "etcdserver: key is not provided");
    if (put.ignore_value && put.value.length > 0)
      throw new GrpcError("INVALID_ARGUMENT", "etcdserver: value is provided");
    if (put.ignore_lease && put.lease !== 0n) throw new GrpcError("INVALID_ARGUMENT", "etcdserver: lease is provided");
    const key = textOf(put.key);
    const current = await this.#store.get(key, { at: this.#at });
    if (!current && (put.ignore_value || put.ignore_lease))
      throw new GrpcError("INVALID_ARGUMENT", "etcdserver: key not found");
    const named = put.ignore_lease ? current?.lease : put.lease === 0n ? undefined : this.#deps.leaseOf(put.lease);
    const lease = named === undefined ? {} : { lease: named };
    const value = put.ignore_value ? (current?.value ?? put.value) : Buffer.from(put.value);
    this.writes.push({ op: "put", key, value, expected: current?.revision ?? 0, ...lease });
    this.#written.set(key, (revision) => {
      const { createRevision = revision, version = 0 } = current ?? {};
      return { key, value, revision, createRevision, version: version + 1, ...lease };
    });
    return put.prev_kv && current ? { prev_kv: etcdKeyValue(current, this.#deps.leaseName) } : {};
  }

  async #planDelete(request: DeleteRangeRequest): Promise<ResponseOp["response_delete_range"]> {
    const keys = keysOf(request);
    if ([...this.#written].some(([key, write]) => write && isAmong(keys, key)))
      throw new GrpcError("UNIMPLEMENTED", "this store deletes no key that the same transaction puts");
    // That there was nothing to delete is part of the answer: it must still be so when the other operations are carried out.
    const records = (await this.#readKeys(request)).filter(({ key }) => !this.#written.has(key));
    for (const { key, revision } of records) {
      this.writes.push({ op: "delete", key, expected: revision });
      this.#written.set(key, undefined);
    }
    const prev_kvs = records.map((record) => etcdKeyValue(record, this.#deps.leaseName));
    return { deleted: records.length, ...(request.prev_kv && { prev_kvs }) };
  }

  /** The records of a request's keys, on which the transaction depends from now on. */
  async #readKeys(named: Named): Promise<KeyRecord[]> {
    const keys = keysOf(named);
    const records = await recordsOf(this.#store, keys, this.#at);
    if (keys.kind === "one") this.read.keys.set(keys.key, records[0]);
    else this.read.ranges.push(rangeCheck(named, this.#at));
    for (const record of records) this.read.keys.set(record.key, record);
    return records;
  }
}

const byKey = (a: KeyRecord, b: KeyRecord): number => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key));

/** A range that a request names, and when it was read. */
function rangeCheck({ key, range_end }: Named, at: number): RangeCheck {
  const isOf = (bytes: Uint8Array): boolean => bytes.length === 1 && bytes[0] === 0;
  return {
    op: "check range",
    key: isOf(key) ? "" : textOf(key),
    end: isOf(range_end) ? undefined : range_end,
    expected: at,
  };
}
