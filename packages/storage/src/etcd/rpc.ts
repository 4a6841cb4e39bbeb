import { method } from "@coxswain/wire/grpc";
import { type Decoded, message } from "@coxswain/wire/protobuf";

/** The part of etcd's v3 API that the engine uses. Names and numbers are etcd's; keys are text here, since ours are. */

const header = message({ clusterId: { number: 1, type: "bigint64" }, revision: { number: 3, type: "int64" } });

export const keyValue = message({
  key: { number: 1, type: "string" },
  createRevision: { number: 2, type: "int64" },
  modRevision: { number: 3, type: "int64" },
  version: { number: 4, type: "int64" },
  value: { number: 5, type: "bytes" },
  lease: { number: 6, type: "bigint64" },
});
export type EtcdKeyValue = Decoded<typeof keyValue>;

const rangeRequest = message({
  key: { number: 1, type: "string" },
  rangeEnd: { number: 2, type: "bytes" },
  limit: { number: 3, type: "int64" },
  revision: { number: 4, type: "int64" },
  keysOnly: { number: 8, type: "bool" },
  countOnly: { number: 9, type: "bool" },
  minModRevision: { number: 10, type: "int64" },
});
const rangeResponse = message({
  header: { number: 1, type: header },
  keyValues: { number: 2, type: keyValue, repeated: true },
  more: { number: 3, type: "bool" },
  count: { number: 4, type: "int64" },
});
const putRequest = message({
  key: { number: 1, type: "string" },
  value: { number: 2, type: "bytes" },
  lease: { number: 3, type: "bigint64" },
});
const putResponse = message({ header: { number: 1, type: header } });
const deleteRequest = message({
  key: { number: 1, type: "string" },
  rangeEnd: { number: 2, type: "bytes" },
  previous: { number: 3, type: "bool" },
});
const deleteResponse = message({
  header: { number: 1, type: header },
  deleted: { number: 2, type: "int64" },
  previous: { number: 3, type: keyValue, repeated: true },
});

export const requestOp = message({
  range: { number: 1, type: rangeRequest, optional: true },
  put: { number: 2, type: putRequest, optional: true },
  delete: { number: 3, type: deleteRequest, optional: true },
});
const responseOp = message({
  range: { number: 1, type: rangeResponse, optional: true },
  put: { number: 2, type: putResponse, optional: true },
  delete: { number: 3, type: deleteResponse, optional: true },
});

/** Numbers of `Compare.result` and `Compare.target`. */
export const comparison = { equal: 0, greater: 1, less: 2, version: 0, created: 1, modified: 2 } as const;
export const compare = message({
  result: { number: 1, type: "enum" },
  target: { number: 2, type: "enum" },
  key: { number: 3, type: "string" },
  version: { number: 4, type: "int64", optional: true },
  createRevision: { number: 5, type: "int64", optional: true },
  modRevision: { number: 6, type: "int64", optional: true },
  rangeEnd: { number: 64, type: "bytes" },
});
const txnRequest = message({
  compare: { number: 1, type: compare, repeated: true },
  success: { number: 2, type: requestOp, repeated: true },
  failure: { number: 3, type: requestOp, repeated: true },
});
const txnResponse = message({
  header: { number: 1, type: header },
  succeeded: { number: 2, type: "bool" },
  responses: { number: 3, type: responseOp, repeated: true },
});

const createWatch = message({
  key: { number: 1, type: "string" },
  rangeEnd: { number: 2, type: "bytes" },
  startRevision: { number: 3, type: "int64" },
  progressNotify: { number: 4, type: "bool" },
  previous: { number: 6, type: "bool" },
  watchId: { number: 7, type: "int64" },
  fragment: { number: 8, type: "bool" },
});
const watchRequest = message({
  create: { number: 1, type: createWatch, optional: true },
  cancel: { number: 2, type: message({ watchId: { number: 1, type: "int64" } }), optional: true },
  progress: { number: 3, type: message({}), optional: true },
});
/** Numbers of `Event.type`. */
export const eventType = { put: 0, delete: 1 } as const;
const event = message({
  type: { number: 1, type: "enum" },
  keyValue: { number: 2, type: keyValue },
  previous: { number: 3, type: keyValue },
});
export type EtcdEvent = Decoded<typeof event>;
const watchResponse = message({
  header: { number: 1, type: header },
  watchId: { number: 2, type: "int64" },
  created: { number: 3, type: "bool" },
  canceled: { number: 4, type: "bool" },
  compactRevision: { number: 5, type: "int64" },
  cancelReason: { number: 6, type: "string" },
  fragment: { number: 7, type: "bool" },
  events: { number: 11, type: event, repeated: true },
});
export type EtcdWatchResponse = Decoded<typeof watchResponse>;

const leaseId = message({ id: { number: 1, type: "bigint64" } });
const status = message({
  header: { number: 1, type: message({ memberId: { number: 2, type: "bigint64" } }) },
  leader: { number: 4, type: "bigint64" },
  version: { number: 2, type: "string" },
  databaseBytes: { number: 3, type: "int64" },
  errors: { number: 8, type: "string", repeated: true },
});

export const rpc = {
  range: method("/etcdserverpb.KV/Range", rangeRequest, rangeResponse),
  transaction: method("/etcdserverpb.KV/Txn", txnRequest, txnResponse),
  compact: method(
    "/etcdserverpb.KV/Compact",
    message({ revision: { number: 1, type: "int64" } }),
    message({ header: { number: 1, type: header } }),
  ),
  watch: method("/etcdserverpb.Watch/Watch", watchRequest, watchResponse),
  grantLease: method(
    "/etcdserverpb.Lease/LeaseGrant",
    message({ seconds: { number: 1, type: "int64" }, id: { number: 2, type: "bigint64" } }),
    message({ id: { number: 2, type: "bigint64" }, error: { number: 4, type: "string" } }),
  ),
  revokeLease: method("/etcdserverpb.Lease/LeaseRevoke", leaseId, message({ header: { number: 1, type: header } })),
  keepLeaseAlive: method(
    "/etcdserverpb.Lease/LeaseKeepAlive",
    leaseId,
    message({ id: { number: 2, type: "bigint64" }, seconds: { number: 3, type: "int64" } }),
  ),
  status: method("/etcdserverpb.Maintenance/Status", message({}), status),
  authenticate: method(
    "/etcdserverpb.Auth/Authenticate",
    message({ name: { number: 1, type: "string" }, password: { number: 2, type: "string" } }),
    message({ token: { number: 2, type: "string" } }),
  ),
} as const;
