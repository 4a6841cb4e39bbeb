import { method } from "@coxswain/wire/grpc";
import { type Decoded, type Encodable, type MessageType, message } from "@coxswain/wire/protobuf";

/**
 * etcd's v3 API as a server has it: fields under the names of `rpc.proto` and `kv.proto`, which its JSON gateway uses, too. The engine that is a
 * client of etcd has a smaller table of its own (`etcd/rpc.ts`), with keys as text.
 */
const header = message({
  cluster_id: { number: 1, type: "uint64" },
  member_id: { number: 2, type: "uint64" },
  revision: { number: 3, type: "int64" },
  raft_term: { number: 4, type: "uint64" },
});
export type Header = Encodable<typeof header>;

const keyValue = message({
  key: { number: 1, type: "bytes" },
  create_revision: { number: 2, type: "int64" },
  mod_revision: { number: 3, type: "int64" },
  version: { number: 4, type: "int64" },
  value: { number: 5, type: "bytes" },
  lease: { number: 6, type: "bigint64" },
});
export type EtcdKeyValue = Encodable<typeof keyValue>;

const rangeRequest = message({
  key: { number: 1, type: "bytes" },
  range_end: { number: 2, type: "bytes" },
  limit: { number: 3, type: "int64" },
  revision: { number: 4, type: "int64" },
  sort_order: { number: 5, type: "enum", names: ["NONE", "ASCEND", "DESCEND"] },
  sort_target: { number: 6, type: "enum", names: ["KEY", "VERSION", "CREATE", "MOD", "VALUE"] },
  serializable: { number: 7, type: "bool" },
  keys_only: { number: 8, type: "bool" },
  count_only: { number: 9, type: "bool" },
  min_mod_revision: { number: 10, type: "int64" },
  max_mod_revision: { number: 11, type: "int64" },
  min_create_revision: { number: 12, type: "int64" },
  max_create_revision: { number: 13, type: "int64" },
});
export type RangeRequest = Decoded<typeof rangeRequest>;
const rangeResponse = message({
  header: { number: 1, type: header },
  kvs: { number: 2, type: keyValue, repeated: true },
  more: { number: 3, type: "bool" },
  count: { number: 4, type: "int64" },
});
const rangeStreamResponse = message({ range_response: { number: 1, type: rangeResponse } });
export type RangeStreamResponse = Encodable<typeof rangeStreamResponse>;

const putRequest = message({
  key: { number: 1, type: "bytes" },
  value: { number: 2, type: "bytes" },
  lease: { number: 3, type: "bigint64" },
  prev_kv: { number: 4, type: "bool" },
  ignore_value: { number: 5, type: "bool" },
  ignore_lease: { number: 6, type: "bool" },
});
export type PutRequest = Decoded<typeof putRequest>;
const putResponse = message({ header: { number: 1, type: header }, prev_kv: { number: 2, type: keyValue } });

const deleteRangeRequest = message({
  key: { number: 1, type: "bytes" },
  range_end: { number: 2, type: "bytes" },
  prev_kv: { number: 3, type: "bool" },
});
export type DeleteRangeRequest = Decoded<typeof deleteRangeRequest>;
const deleteRangeResponse = message({
  header: { number: 1, type: header },
  deleted: { number: 2, type: "int64" },
  prev_kvs: { number: 3, type: keyValue, repeated: true },
});

const requestOp = message({
  request_range: { number: 1, type: rangeRequest, optional: true },
  request_put: { number: 2, type: putRequest, optional: true },
  request_delete_range: { number: 3, type: deleteRangeRequest, optional: true },
  request_txn: { number: 4, type: (): MessageType => txnRequest, optional: true },
});
/** Transactions may be within transactions: a table that contains itself has a type without its fields. */
export type RequestOp = Omit<Decoded<typeof requestOp>, "request_txn"> & {
  readonly request_txn: TxnRequest | undefined;
};
export const responseOp = message({
  response_range: { number: 1, type: rangeResponse, optional: true },
  response_put: { number: 2, type: putResponse, optional: true },
  response_delete_range: { number: 3, type: deleteRangeResponse, optional: true },
  response_txn: { number: 4, type: (): MessageType => txnResponse, optional: true },
});
export type ResponseOp = Omit<Encodable<typeof responseOp>, "response_txn"> & {
  readonly response_txn?: TxnResponse;
};

const compare = message({
  result: { number: 1, type: "enum", names: ["EQUAL", "GREATER", "LESS", "NOT_EQUAL"] },
  target: { number: 2, type: "enum", names: ["VERSION", "CREATE", "MOD", "VALUE", "LEASE"] },
  key: { number: 3, type: "bytes" },
  version: { number: 4, type: "int64", optional: true },
  create_revision: { number: 5, type: "int64", optional: true },
  mod_revision: { number: 6, type: "int64", optional: true },
  value: { number: 7, type: "bytes", optional: true },
  lease: { number: 8, type: "bigint64", optional: true },
  range_end: { number: 64, type: "bytes" },
});
export type Compare = Decoded<typeof compare>;
const txnRequest = message({
  compare: { number: 1, type: compare, repeated: true },
  success: { number: 2, type: requestOp, repeated: true },
  failure: { number: 3, type: requestOp, repeated: true },
});
export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOp[];
  readonly failure: readonly RequestOp[];
}
const txnResponse = message({
  header: { number: 1, type: header },
  succeeded: { number: 2, type: "bool" },
  responses: { number: 3, type: responseOp, repeated: true },
});
export interface TxnResponse {
  readonly header: Header;
  readonly succeeded: boolean;
  readonly responses: readonly ResponseOp[];
}

const watchCreate = message({
  key: { number: 1, type: "bytes" },
  range_end: { number: 2, type: "bytes" },
  start_revision: { number: 3, type: "int64" },
  progress_notify: { number: 4, type: "bool" },
  filters: { number: 5, type: "enum", repeated: true, names: ["NOPUT", "NODELETE"] },
  prev_kv: { number: 6, type: "bool" },
  watch_id: { number: 7, type: "int64" },
  fragment: { number: 8, type: "bool" },
});
export type WatchCreate = Decoded<typeof watchCreate>;
const watchRequest = message({
  create_request: { number: 1, type: watchCreate, optional: true },
  cancel_request: { number: 2, type: message({ watch_id: { number: 1, type: "int64" } }), optional: true },
  progress_request: { number: 3, type: message({}), optional: true },
});
const event = message({
  type: { number: 1, type: "enum", names: ["PUT", "DELETE"] },
  kv: { number: 2, type: keyValue },
  prev_kv: { number: 3, type: keyValue },
});
export type EtcdEvent = Encodable<typeof event>;
const watchResponse = message({
  header: { number: 1, type: header },
  watch_id: { number: 2, type: "int64" },
  created: { number: 3, type: "bool" },
  canceled: { number: 4, type: "bool" },
  compact_revision: { number: 5, type: "int64" },
  cancel_reason: { number: 6, type: "string" },
  fragment: { number: 7, type: "bool" },
  events: { number: 11, type: event, repeated: true },
});
export type WatchResponse = Encodable<typeof watchResponse>;

const headed = message({ header: { number: 1, type: header } });
const leaseId = message({ ID: { number: 1, type: "bigint64" } });
const member = message({
  ID: { number: 1, type: "uint64" },
  name: { number: 2, type: "string" },
  peerURLs: { number: 3, type: "string", repeated: true },
  clientURLs: { number: 4, type: "string", repeated: true },
});

export const rpc = {
  range: method("/etcdserverpb.KV/Range", rangeRequest, rangeResponse),
  rangeStream: method("/etcdserverpb.KV/RangeStream", rangeRequest, rangeStreamResponse),
  put: method("/etcdserverpb.KV/Put", putRequest, putResponse),
  deleteRange: method("/etcdserverpb.KV/DeleteRange", deleteRangeRequest, deleteRangeResponse),
  txn: method("/etcdserverpb.KV/Txn", txnRequest, txnResponse),
  compact: method(
    "/etcdserverpb.KV/Compact",
    message({ revision: { number: 1, type: "int64" }, physical: { number: 2, type: "bool" } }),
    headed,
  ),
  watch: method("/etcdserverpb.Watch/Watch", watchRequest, watchResponse),
  leaseGrant: method(
    "/etcdserverpb.Lease/LeaseGrant",
    message({ TTL: { number: 1, type: "int64" }, ID: { number: 2, type: "bigint64" } }),
    message({
      header: { number: 1, type: header },
      ID: { number: 2, type: "bigint64" },
      TTL: { number: 3, type: "int64" },
    }),
  ),
  leaseTimeToLive: method(
    "/etcdserverpb.Lease/LeaseTimeToLive",
    message({ ID: { number: 1, type: "bigint64" }, keys: { number: 2, type: "bool" } }),
    message({
      header: { number: 1, type: header },
      ID: { number: 2, type: "bigint64" },
      TTL: { number: 3, type: "int64" },
      grantedTTL: { number: 4, type: "int64" },
      keys: { number: 5, type: "bytes", repeated: true },
    }),
  ),
  leaseLeases: method(
    "/etcdserverpb.Lease/LeaseLeases",
    message({}),
    message({ header: { number: 1, type: header }, leases: { number: 2, type: leaseId, repeated: true } }),
  ),
  leaseRevoke: method("/etcdserverpb.Lease/LeaseRevoke", leaseId, headed),
  leaseKeepAlive: method(
    "/etcdserverpb.Lease/LeaseKeepAlive",
    leaseId,
    message({
      header: { number: 1, type: header },
      ID: { number: 2, type: "bigint64" },
      TTL: { number: 3, type: "int64" },
    }),
  ),
  status: method(
    "/etcdserverpb.Maintenance/Status",
    message({}),
    message({
      header: { number: 1, type: header },
      version: { number: 2, type: "string" },
      dbSize: { number: 3, type: "int64" },
      leader: { number: 4, type: "uint64" },
      raftIndex: { number: 5, type: "uint64" },
      raftTerm: { number: 6, type: "uint64" },
      raftAppliedIndex: { number: 7, type: "uint64" },
      errors: { number: 8, type: "string", repeated: true },
      dbSizeInUse: { number: 9, type: "int64" },
      storageVersion: { number: 11, type: "string" },
    }),
  ),
  hash: method(
    "/etcdserverpb.Maintenance/Hash",
    message({}),
    message({ header: { number: 1, type: header }, hash: { number: 2, type: "uint32" } }),
  ),
  hashKeyValues: method(
    "/etcdserverpb.Maintenance/HashKV",
    message({ revision: { number: 1, type: "int64" } }),
    message({
      header: { number: 1, type: header },
      hash: { number: 2, type: "uint32" },
      compact_revision: { number: 3, type: "int64" },
      hash_revision: { number: 4, type: "int64" },
    }),
  ),
  snapshot: method("/etcdserverpb.Maintenance/Snapshot", message({}), headed),
  authStatus: method(
    "/etcdserverpb.Auth/AuthStatus",
    message({}),
    message({
      header: { number: 1, type: header },
      enabled: { number: 2, type: "bool" },
      authRevision: { number: 3, type: "uint64" },
    }),
  ),
  authenticate: method(
    "/etcdserverpb.Auth/Authenticate",
    message({ name: { number: 1, type: "string" }, password: { number: 2, type: "string" } }),
    message({ header: { number: 1, type: header }, token: { number: 2, type: "string" } }),
  ),
  defragment: method("/etcdserverpb.Maintenance/Defragment", message({}), headed),
  alarm: method(
    "/etcdserverpb.Maintenance/Alarm",
    message({
      action: { number: 1, type: "enum" },
      memberID: { number: 2, type: "uint64" },
      alarm: { number: 3, type: "enum" },
    }),
    message({
      header: { number: 1, type: header },
      alarms: {
        number: 2,
        type: message({ memberID: { number: 1, type: "uint64" }, alarm: { number: 2, type: "enum" } }),
        repeated: true,
      },
    }),
  ),
  memberList: method(
    "/etcdserverpb.Cluster/MemberList",
    message({ linearizable: { number: 1, type: "bool" } }),
    message({ header: { number: 1, type: header }, members: { number: 2, type: member, repeated: true } }),
  ),
} as const;
