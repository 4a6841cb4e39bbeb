import { type ServedMethod, serveStream, serveUnary } from "@coxswain/wire/grpc";
import type { KeyValueStore, LeaseId } from "../contract/key-value-store.js";
import { answering, headed } from "./answering.js";
import type { EtcdLeases } from "./leases.js";
import { rpc } from "./messages.js";

export interface LeaseMethods {
  readonly grant: ServedMethod;
  readonly revoke: ServedMethod;
  readonly keepAlive: ServedMethod;
  readonly timeToLive: ServedMethod;
  readonly leases: ServedMethod;
}

export const leaseMethods = (store: KeyValueStore, leases: EtcdLeases): LeaseMethods => ({
  grant: serveUnary(rpc.leaseGrant, ({ TTL, ID }) =>
    answering(async () => {
      const { name, seconds } = await leases.grant(TTL, ID);
      return headed({ ID: name, TTL: seconds }, await store.readRevision());
    }),
  ),
  revoke: serveUnary(rpc.leaseRevoke, ({ ID }) =>
    // Of the deletion of its keys: others may have written since.
    answering(async () => headed({}, await leases.revoke(ID))),
  ),
  keepAlive: serveStream(rpc.leaseKeepAlive, async ({ requests, send }) => {
    for await (const { ID } of requests)
      await send(
        await answering(async () => headed({ ID, TTL: await leases.keepAlive(ID) }, await store.readRevision())),
      );
  }),
  timeToLive: serveUnary(rpc.leaseTimeToLive, ({ ID, keys }) =>
    answering(async () => {
      const granted = (await grantedLeases(store)).find(({ lease }) => leases.nameOf(lease) === ID);
      if (!granted) return headed({ ID, TTL: -1 }, await store.readRevision()); // etcd's answer for one that is gone
      const grantedTTL = Math.ceil(granted.ttlMs / 1000);
      const TTL = leases.secondsLeft(granted.lease) ?? grantedTTL;
      const held = keys ? await keysOfLease(store, granted.lease) : [];
      return headed({ ID, TTL, grantedTTL, keys: held }, await store.readRevision());
    }),
  ),
  leases: serveUnary(rpc.leaseLeases, () =>
    answering(async () => {
      const granted = await grantedLeases(store);
      return headed({ leases: granted.map(({ lease }) => ({ ID: leases.nameOf(lease) })) }, await store.readRevision());
    }),
  ),
});

async function grantedLeases(
  store: KeyValueStore,
): Promise<readonly { readonly lease: LeaseId; readonly ttlMs: number }[]> {
  const snapshot = await store.snapshot();
  try {
    return snapshot.leases ?? [];
  } finally {
    await snapshot.close();
  }
}

/** Reads everything: the store has no index from leases to keys that can be asked, and only a person who looks at a lease wants this. */
async function keysOfLease(store: KeyValueStore, lease: LeaseId): Promise<Buffer[]> {
  const snapshot = await store.snapshot();
  const keys: Buffer[] = [];
  try {
    for await (const records of snapshot.batches())
      for (const record of records) if (record.lease === lease) keys.push(Buffer.from(record.key));
  } finally {
    await snapshot.close();
  }
  return keys;
}
