import type { Clock } from "@coxswain/runtime/clock";
import { createGrpcServer, type GrpcServer, type GrpcServerOptions, jsonGateway } from "@coxswain/wire/grpc";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { etcdVersion } from "./answering.js";
import { keyMethods } from "./key-methods.js";
import { leaseMethods } from "./lease-methods.js";
import { EtcdLeases } from "./leases.js";
import { maintenanceMethods } from "./maintenance-methods.js";
import { rangeStreamMethod } from "./range-stream-method.js";
import { watchMethod } from "./watch-method.js";

export interface EtcdServerOptions extends Pick<GrpcServerOptions, "listen" | "tls"> {
  readonly store: KeyValueStore;
  readonly clock: Clock;
}

/**
 * A store behind etcd's v3 protocol, for etcdctl, for curl (the JSON gateway, on the same address) and for API servers of this machine. A client
 * that connects reads and writes everything, past all authorization: a socket is for its owner alone, and TCP needs `tls` with an authority of
 * clients of its own.
 *
 * Caveats: no users and roles, no snapshots in etcd's own file format.
 */
export async function serveEtcd({ store, clock, listen, tls }: EtcdServerOptions): Promise<GrpcServer> {
  if (!("path" in listen) && tls?.clientCa === undefined)
    throw new TypeError("a store is served by TCP only to clients with certificates: give an authority for them");
  const leases = new EtcdLeases(store.leases, clock);
  const deps = { store, clock, leaseOf: leases.leaseOf, leaseName: leases.nameOf };
  let clientUrl = "";
  const methods = {
    ...keyMethods(deps),
    lease: leaseMethods(store, leases),
    rangeStream: rangeStreamMethod(deps),
    watch: watchMethod(deps),
    maintenance: maintenanceMethods(store, () => clientUrl),
  };
  const { lease, maintenance, ...others } = methods;
  const server = await createGrpcServer({
    listen,
    ...(tls && { tls }),
    methods: [...Object.values(others), ...Object.values(lease), ...Object.values(maintenance)],
    onHttp1: jsonGateway({ routes: gatewayRoutes(methods), pages: gatewayPages(store) }),
  });
  clientUrl = server.endpoint;
  return server;
}

type Methods = ReturnType<typeof keyMethods> & {
  readonly lease: ReturnType<typeof leaseMethods>;
  readonly watch: ReturnType<typeof watchMethod>;
  readonly maintenance: ReturnType<typeof maintenanceMethods>;
};

/** Paths of `rpc.proto`'s HTTP annotations. */
const gatewayRoutes = ({ range, put, deleteRange, txn, compact, watch, lease, maintenance }: Methods) => ({
  "/v3/kv/range": { served: range },
  "/v3/kv/put": { served: put },
  "/v3/kv/deleterange": { served: deleteRange },
  "/v3/kv/txn": { served: txn },
  "/v3/kv/compaction": { served: compact },
  "/v3/watch": { served: watch, streams: true },
  "/v3/lease/grant": { served: lease.grant },
  "/v3/lease/revoke": { served: lease.revoke },
  "/v3/lease/keepalive": { served: lease.keepAlive, streams: true },
  "/v3/lease/timetolive": { served: lease.timeToLive },
  "/v3/lease/leases": { served: lease.leases },
  "/v3/cluster/member/list": { served: maintenance.memberList },
  "/v3/maintenance/status": { served: maintenance.status },
  "/v3/maintenance/alarm": { served: maintenance.alarm },
  "/v3/maintenance/defragment": { served: maintenance.defragment },
  "/v3/maintenance/hash": { served: maintenance.hash },
  "/v3/maintenance/hashkv": { served: maintenance.hashKeyValues },
  "/v3/maintenance/snapshot": { served: maintenance.snapshot },
  "/v3/auth/status": { served: maintenance.authStatus },
  "/v3/auth/authenticate": { served: maintenance.authenticate },
});

/** What etcd serves at its client address besides (`server/etcdserver/api/etcdhttp`). */
const gatewayPages = (store: KeyValueStore) => ({
  "/version": async () => ({ etcdserver: etcdVersion, etcdcluster: etcdVersion, storage: etcdVersion }),
  "/health": async () => {
    const { full, readOnly } = await store.status();
    const reason = readOnly ?? full;
    return { health: reason === undefined ? "true" : "false", reason: reason ?? "" };
  },
});
