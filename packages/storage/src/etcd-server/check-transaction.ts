import { append } from "@coxswain/apimachinery/append";
import { GrpcError } from "@coxswain/wire/grpc";
import { isAmong, type Keys, keysOf, textOf } from "./key-range.js";
import type { RequestOp, TxnRequest } from "./messages.js";

/** etcd's default for comparisons, and for operations of either branch, of a transaction with those around it (`--max-txn-ops`). */
const maxOperations = 128;

/** What a branch writes, with the transactions in it. */
interface Written {
  readonly puts: Set<string>;
  readonly deleted: Keys[];
}

/** @throws GrpcError in etcd's words (`server/etcdserver/api/v3rpc/key.go`, checkTxnRequest) */
export function checkTransaction(request: TxnRequest): void {
  checkSize(request, maxOperations);
  for (const branch of [request.success, request.failure]) writtenBy(branch);
}

function checkSize({ compare, success, failure }: TxnRequest, allowed: number): void {
  const size = Math.max(compare.length, success.length, failure.length);
  if (size > allowed) throw new GrpcError("INVALID_ARGUMENT", "etcdserver: too many operations in txn request");
  for (const { request_txn } of [...success, ...failure]) if (request_txn) checkSize(request_txn, allowed - size);
}

/** A key is put once, and not where keys are deleted (`checkIntervals`); of the branches of an inner transaction only one is carried out. */
function writtenBy(branch: readonly RequestOp[]): Written {
  const puts = new Set<string>();
  const deleted = branch.flatMap(({ request_delete_range: range }) => (range ? [keysOf(range)] : []));
  const add = (key: string): void => {
    if (deleted.some((keys) => isAmong(keys, key))) throw duplicate();
    puts.add(key);
  };
  for (const { request_txn } of branch) {
    if (!request_txn) continue;
    const either = [writtenBy(request_txn.success), writtenBy(request_txn.failure)];
    const keys = new Set(either.flatMap((one) => [...one.puts]));
    for (const key of keys) {
      if (puts.has(key)) throw duplicate();
      add(key);
    }
    for (const one of either) append(deleted, one.deleted);
  }
  for (const { request_put } of branch) {
    if (!request_put) continue;
    const key = textOf(request_put.key);
    if (puts.has(key)) throw duplicate();
    add(key);
  }
  return { puts, deleted };
}

const duplicate = (): GrpcError => new GrpcError("INVALID_ARGUMENT", "etcdserver: duplicate key given in txn request");
