import { grpcErrorOf } from "./errors.js";
import type { Header } from "./messages.js";

/** What clients take this server for: Kubernetes trusts progress notifications from 3.5.13 on. */
export const etcdVersion = "3.6.0";
/** A cluster of one member that leads. */
export const identity = { cluster_id: 1, member_id: 1, raft_term: 1 };

export const headed = <M extends object>(answer: M, revision: number): M & { readonly header: Header } => ({
  ...answer,
  header: { ...identity, revision },
});

/** The store's errors are answered as etcd's. */
export async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw grpcErrorOf(error);
  }
}
