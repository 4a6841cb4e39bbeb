import type { RandomSource } from "@coxswain/runtime/random";
import { GrpcError } from "@coxswain/wire/grpc";
import type { LeaseId } from "../contract/key-value-store.js";
import { hasStoreReason } from "../contract/store-error.js";
import { storeErrorOf } from "./errors.js";
import type { EtcdClient } from "./etcd-client.js";
import { rpc } from "./rpc.js";

/** Its number is ours, not etcd's: that would be one of 63 bits, which no JavaScript number holds. */
export async function grantLease(client: EtcdClient, random: RandomSource, ttlMs: number): Promise<LeaseId> {
  const id = Number.parseInt(Buffer.from(random.bytes(6)).toString("hex"), 16) + 1;
  await client.call(
    rpc.grantLease,
    { seconds: Math.max(1, Math.ceil(ttlMs / 1000)), id: BigInt(id) },
    { kind: "write" },
  );
  return id;
}

/** Resolves to false when it is gone. */
export async function keepLeaseAlive(client: EtcdClient, lease: LeaseId): Promise<boolean> {
  let answer: (seconds: number) => void = () => {};
  const seconds = new Promise<number>((resolve) => (answer = resolve));
  try {
    const stream = await client.stream(rpc.keepLeaseAlive, {
      requireLeader: true,
      onMessage: (response) => answer(response.seconds),
    });
    try {
      stream.send({ id: BigInt(lease) });
      const ended = stream.done.then(() => {
        throw new GrpcError("UNAVAILABLE", "etcd did not report whether the lease exists");
      });
      return (await Promise.race([seconds, ended])) > 0;
    } finally {
      stream.done.catch(() => undefined);
      stream.cancel();
    }
  } catch (error) {
    throw storeErrorOf(error, "read");
  }
}

/** The revision of the deletes, as far as there were any. One that is gone already is fine. */
export async function revokeLease(client: EtcdClient, lease: LeaseId): Promise<number> {
  try {
    return (await client.call(rpc.revokeLease, { id: BigInt(lease) }, { kind: "read" })).header?.revision ?? 0;
  } catch (error) {
    if (hasStoreReason(error, "lease-gone")) return 0;
    throw error;
  }
}
