import type { Clock } from "@coxswain/runtime/clock";
import {
  createGrpcServer,
  GrpcError,
  type GrpcServer,
  type GrpcServerOptions,
  serveStream,
  serveUnary,
} from "@coxswain/wire/grpc";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { grpcErrorOf } from "./errors.js";
import { etcdKeyValue } from "./etcd-key-value.js";
import { EtcdLeases } from "./leases.js";
import { type Header, rpc } from "./messages.js";
import { readRange } from "./read-range.js";
import { type TransactionDeps, transact } from "./transaction.js";
import { WatchSession } from "./watch-session.js";

export interface EtcdServerOptions extends Pick<GrpcServerOptions, "listen" | "tls"> {
  readonly store: KeyValueStore;
  readonly clock: Clock;
}

/** What clients take this server for: Kubernetes trusts progress notifications from 3.5.13 on. */
const etcdVersion = "3.6.0";
const memberId = 1;
const identity = { cluster_id: 1, member_id: memberId, raft_term: 1 };

/**
 * A store behind etcd's v3 protocol, for etcdctl and for API servers of this machine. A client that connects reads and writes everything, past
 * all authorization: a socket is for its owner alone, and TCP needs `tls` with an authority of clients of its own.
 *
 * Caveats: no nested transactions, no ranges in transactions that write, no users and roles, no snapshots in etcd's own file format.
 */
export function serveEtcd({ store, clock, listen, tls }: EtcdServerOptions): Promise<GrpcServer> {
  if (!("path" in listen) && tls?.clientCa === undefined)
    throw new TypeError("a store is served by TCP only to clients with certificates: give an authority for them");
  const leases = new EtcdLeases(store.leases, clock);
  const deps: TransactionDeps = { store, leaseOf: leases.leaseOf, leaseName: leases.nameOf };
  return createGrpcServer({
    listen,
    ...(tls && { tls }),
    methods: [...keyMethods(deps), ...leaseMethods(store, leases), watchMethod(deps), ...maintenanceMethods(store)],
  });
}

const headed = <M extends object>(answer: M, revision: number): M & { readonly header: Header } => ({
  ...answer,
  header: { ...identity, revision },
});

/** The store's errors are answered as etcd's. */
async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw grpcErrorOf(error);
  }
}

function keyMethods(deps: TransactionDeps) {
  const { store, leaseName } = deps;
  const single = async (operation: Parameters<typeof transact>[1]["success"][number]) => {
    const { header, responses } = await transact(deps, { compare: [], success: [operation], failure: [] });
    return { revision: header?.revision ?? 0, response: responses?.[0] };
  };
  const noOperation = {
    request_range: undefined,
    request_put: undefined,
    request_delete_range: undefined,
    request_txn: undefined,
  };
  return [
    serveUnary(rpc.range, (request) =>
      answering(async () => {
        const { records, more, count } = await readRange(store, request, request.revision);
        const kvs = records.map((record) => etcdKeyValue(record, leaseName));
        return headed({ kvs, more, count }, await store.readRevision());
      }),
    ),
    serveUnary(rpc.put, (request) =>
      answering(async () => {
        const { revision, response } = await single({ ...noOperation, request_put: request });
        return headed({ ...response?.response_put }, revision);
      }),
    ),
    serveUnary(rpc.deleteRange, (request) =>
      answering(async () => {
        const { revision, response } = await single({ ...noOperation, request_delete_range: request });
        return headed({ ...response?.response_delete_range }, revision);
      }),
    ),
    serveUnary(rpc.txn, (request) =>
      answering(async () => {
        const answer = await transact(deps, request);
        return headed(answer, answer.header?.revision ?? 0);
      }),
    ),
    serveUnary(rpc.compact, ({ revision }) =>
      answering(async () => {
        const { compactedRevision, revision: current } = await store.status();
        if (revision <= compactedRevision)
          throw new GrpcError("OUT_OF_RANGE", "etcdserver: mvcc: required revision has been compacted");
        await store.compact(revision);
        return headed({}, current);
      }),
    ),
  ];
}

function leaseMethods(store: KeyValueStore, leases: EtcdLeases) {
  return [
    serveUnary(rpc.leaseGrant, ({ TTL, ID }) =>
      answering(async () => {
        const { name, seconds } = await leases.grant(TTL, ID);
        return headed({ ID: name, TTL: seconds }, await store.readRevision());
      }),
    ),
    serveUnary(rpc.leaseRevoke, ({ ID }) =>
      answering(async () => {
        await leases.revoke(ID);
        return headed({}, await store.readRevision());
      }),
    ),
    serveStream(rpc.leaseKeepAlive, async ({ requests, send }) => {
      for await (const { ID } of requests)
        await send(
          await answering(async () => headed({ ID, TTL: await leases.keepAlive(ID) }, await store.readRevision())),
        );
    }),
  ];
}

const watchMethod = ({ store, leaseName }: TransactionDeps) =>
  serveStream(rpc.watch, async ({ requests, send, signal }) => {
    let overflow: (error: GrpcError) => void = () => {};
    const overflowed = new Promise<never>((_, reject) => (overflow = reject));
    const session = new WatchSession({
      store,
      leaseName,
      send: (response) => send(headed(response, response.header?.revision ?? 0)),
      onOverflow: () => overflow(new GrpcError("RESOURCE_EXHAUSTED", "the client does not read its events")),
    });
    signal.addEventListener("abort", () => session.close(), { once: true });
    const serve = async (): Promise<void> => {
      for await (const { create_request, cancel_request, progress_request } of requests) {
        if (create_request) await session.create(create_request);
        else if (cancel_request) await session.cancel(cancel_request.watch_id);
        else if (progress_request) await session.askForProgress();
      }
    };
    try {
      await answering(async () => Promise.race([serve().then(() => ({})), overflowed]));
    } finally {
      session.close();
    }
  });

function maintenanceMethods(store: KeyValueStore) {
  return [
    serveUnary(rpc.status, () =>
      answering(async () => {
        const { revision, sizeBytes, full, readOnly } = await store.status();
        const errors = full !== undefined || readOnly !== undefined ? [`memberID:${memberId} alarm:NOSPACE `] : [];
        return headed(
          {
            version: etcdVersion,
            dbSize: sizeBytes,
            dbSizeInUse: sizeBytes,
            leader: memberId,
            raftIndex: revision,
            raftAppliedIndex: revision,
            raftTerm: identity.raft_term,
            errors,
          },
          revision,
        );
      }),
    ),
    serveUnary(rpc.defragment, () =>
      answering(async () => {
        await store.defragment?.();
        return headed({}, await store.readRevision());
      }),
    ),
    serveUnary(rpc.alarm, () => answering(async () => headed({}, await store.readRevision()))),
    serveUnary(rpc.memberList, () =>
      answering(async () => headed({ members: [{ ID: memberId, name: "coxswain" }] }, await store.readRevision())),
    ),
  ];
}
