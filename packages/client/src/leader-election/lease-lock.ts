import type { Lease } from "@coxswain/api/coordination/v1";
import { isNotFound } from "@coxswain/apimachinery/status";
import { type ElectionRecord, leaseSpecOf, recordOfLease } from "./election-record.js";
import type { ResourceLock } from "./resource-lock.js";

/** The Leases of one namespace: `client.coordination.v1.leases("kube-system")` is one. */
export interface LeaseAccess {
  get(name: string, options: { signal: AbortSignal }): Promise<Lease>;
  create(lease: Lease, options: { signal: AbortSignal }): Promise<Lease>;
  update(lease: Lease, options: { signal: AbortSignal }): Promise<Lease>;
}

export interface LeaseLockOptions {
  leases: LeaseAccess;
  namespace: string;
  name: string;
  /** Different for every process that takes part: host name and something random, for example. */
  identity: string;
  labels?: Readonly<Record<string, string>>;
}

/** A lock that is a Lease of coordination.k8s.io/v1. */
export function createLeaseLock({ leases, namespace, name, identity, labels }: LeaseLockOptions): ResourceLock {
  let lease: Lease | undefined;
  return {
    identity,
    description: `${namespace}/${name}`,
    async get(signal) {
      try {
        lease = await leases.get(name, { signal });
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
      const record = recordOfLease(lease.spec);
      return { record, version: `${lease.metadata?.resourceVersion ?? ""} ${JSON.stringify(record)}` };
    },
    async create(record, signal) {
      const metadata = { name, namespace, ...(labels === undefined ? {} : { labels: { ...labels } }) };
      const created: Lease = {
        apiVersion: "coordination.k8s.io/v1",
        kind: "Lease",
        metadata,
        spec: leaseSpecOf(record),
      };
      lease = await leases.create(created, { signal });
    },
    async update(record: ElectionRecord, signal) {
      if (lease === undefined) throw new Error(`the lease ${namespace}/${name} was not read yet`);
      const merged = { ...lease.metadata, ...(labels ? { labels: { ...lease.metadata?.labels, ...labels } } : {}) };
      lease = await leases.update({ ...lease, metadata: merged, spec: leaseSpecOf(record) }, { signal });
    },
  };
}
