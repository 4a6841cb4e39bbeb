import { GrpcError, type ServedMethod, serveUnary } from "@coxswain/wire/grpc";
import type { Encodable } from "@coxswain/wire/protobuf";
import { answering, headed } from "./answering.js";
import { etcdKeyValue } from "./etcd-key-value.js";
import { type responseOp, rpc, type TxnRequest } from "./messages.js";
import type { TransactionDeps } from "./plan-transaction.js";
import { readRange } from "./read-range.js";
import { transact } from "./transaction.js";

export interface KeyMethods {
  readonly range: ServedMethod;
  readonly put: ServedMethod;
  readonly deleteRange: ServedMethod;
  readonly txn: ServedMethod;
  readonly compact: ServedMethod;
}

const noOperation = {
  request_range: undefined,
  request_put: undefined,
  request_delete_range: undefined,
  request_txn: undefined,
};

export function keyMethods(deps: TransactionDeps): KeyMethods {
  const { store, leaseName } = deps;
  const single = async (operation: Parameters<typeof transact>[1]["success"][number]) => {
    const { revision, responses } = await transact(deps, { compare: [], success: [operation], failure: [] });
    return { revision, response: responses[0] };
  };
  return {
    range: serveUnary(rpc.range, (request) =>
      answering(async () => {
        // A client watches from the header's revision on: what is newer must not be behind it, so it is read before the records.
        const current = await store.readRevision();
        const { records, more, count } = await readRange(store, request, request.revision || current);
        const kvs = records.map((record) => etcdKeyValue(record, leaseName));
        return headed({ kvs, more, count }, current);
      }),
    ),
    put: serveUnary(rpc.put, (request) =>
      answering(async () => {
        const { revision, response } = await single({ ...noOperation, request_put: request });
        return headed({ ...response?.response_put }, revision);
      }),
    ),
    deleteRange: serveUnary(rpc.deleteRange, (request) =>
      answering(async () => {
        const { revision, response } = await single({ ...noOperation, request_delete_range: request });
        return headed({ ...response?.response_delete_range }, revision);
      }),
    ),
    txn: serveUnary(rpc.txn, (request) =>
      answering(async () => {
        const { succeeded, responses, revision } = await transact(deps, request as TxnRequest);
        // A table that contains itself has a type without its fields (`messages.ts`).
        return headed({ succeeded, responses: responses as unknown as Encodable<typeof responseOp>[] }, revision);
      }),
    ),
    compact: serveUnary(rpc.compact, ({ revision }) =>
      answering(async () => {
        const { compactedRevision, revision: current } = await store.status();
        if (revision <= compactedRevision)
          throw new GrpcError("OUT_OF_RANGE", "etcdserver: mvcc: required revision has been compacted");
        await store.compact(revision);
        return headed({}, current);
      }),
    ),
  };
}
