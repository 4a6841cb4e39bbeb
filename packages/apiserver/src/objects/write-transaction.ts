import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { KeyRecord, Write } from "@coxswain/storage";
import type { WriteScope } from "./write-scope.js";

/**
 * What is written in the same transaction as an object of a kind: the addresses and ports of a Service. So nothing is held by what
 * failed to be written, and nothing is given to two. Upstream: `BeginCreate` and `BeginUpdate` of a registry's store.
 */
export interface WriteTransaction {
  /** For a new object, before its kind prepares it. May fill in what it gets. Throws StatusError. */
  create(object: KubernetesObject, scope: WriteScope): Promise<TransactionWrites>;
  /** For a changed object, before its kind prepares it. */
  update(object: KubernetesObject, old: KubernetesObject, scope: WriteScope): Promise<TransactionWrites>;
  remove(old: KubernetesObject): Promise<TransactionWrites>;
}

export interface TransactionWrites {
  /** Empty: the object is written alone. */
  readonly writes: readonly Write[];
  written?(revision: number): void;
  /** Another writer was faster with this key; everything is decided again. */
  lost?(key: string, current: KeyRecord | undefined): void;
}
