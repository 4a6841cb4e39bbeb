import { crc32 } from "node:zlib";
import { GrpcError, type ServedMethod, serveUnary } from "@coxswain/wire/grpc";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { answering, etcdVersion, headed, identity } from "./answering.js";
import { rpc } from "./messages.js";

export interface MaintenanceMethods {
  readonly status: ServedMethod;
  readonly alarm: ServedMethod;
  readonly defragment: ServedMethod;
  readonly hash: ServedMethod;
  readonly hashKeyValues: ServedMethod;
  readonly snapshot: ServedMethod;
  readonly memberList: ServedMethod;
  readonly authStatus: ServedMethod;
  readonly authenticate: ServedMethod;
}

/** What concerns the server itself. @param clientUrl where clients reach it */
export const maintenanceMethods = (store: KeyValueStore, clientUrl: () => string): MaintenanceMethods => ({
  status: serveUnary(rpc.status, () =>
    answering(async () => {
      const { revision, sizeBytes, full, readOnly } = await store.status();
      const { member_id, raft_term } = identity;
      const errors = full !== undefined || readOnly !== undefined ? [`memberID:${member_id} alarm:NOSPACE `] : [];
      return headed(
        {
          version: etcdVersion,
          dbSize: sizeBytes,
          dbSizeInUse: sizeBytes,
          leader: member_id,
          raftIndex: revision,
          raftAppliedIndex: revision,
          raftTerm: raft_term,
          storageVersion: etcdVersion,
          errors,
        },
        revision,
      );
    }),
  ),
  alarm: serveUnary(rpc.alarm, () => answering(async () => headed({}, await store.readRevision()))),
  defragment: serveUnary(rpc.defragment, () =>
    answering(async () => {
      await store.defragment?.();
      return headed({}, await store.readRevision());
    }),
  ),
  hash: serveUnary(rpc.hash, () =>
    answering(async () => {
      const revision = await store.readRevision();
      return headed({ hash: await hashAt(store, revision) }, revision);
    }),
  ),
  hashKeyValues: serveUnary(rpc.hashKeyValues, ({ revision }) =>
    answering(async () => {
      const { revision: current, compactedRevision } = await store.status();
      const at = revision || current;
      const hash = await hashAt(store, at);
      return headed({ hash, compact_revision: compactedRevision, hash_revision: at }, current);
    }),
  ),
  snapshot: serveUnary(rpc.snapshot, () => {
    throw new GrpcError("UNIMPLEMENTED", "this store has a file format of its own: use `coxswain store backup`");
  }),
  memberList: serveUnary(rpc.memberList, () =>
    answering(async () => {
      const members = [{ ID: identity.member_id, name: "coxswain", peerURLs: [], clientURLs: [clientUrl()] }];
      return headed({ members }, await store.readRevision());
    }),
  ),
  authStatus: serveUnary(rpc.authStatus, () =>
    answering(async () => headed({ enabled: false, authRevision: 1 }, await store.readRevision())),
  ),
  authenticate: serveUnary(rpc.authenticate, () => {
    throw new GrpcError("FAILED_PRECONDITION", "etcdserver: authentication is not enabled");
  }),
});

const recordsPerPage = 1000;

/** Of all keys, revisions and values as of a revision, so that two moments or two copies can be compared; it is not the number that etcd has. */
async function hashAt(store: KeyValueStore, at: number): Promise<number> {
  let hash = 0;
  let start = "";
  for (;;) {
    const { records, more } = await store.range({ prefix: "", start, at, limit: recordsPerPage });
    for (const { key, revision, value } of records) hash = crc32(value, crc32(`${key}\0${revision}\0`, hash));
    const last = records.at(-1);
    if (!more || !last) return hash;
    start = `${last.key}\u0000`;
  }
}
