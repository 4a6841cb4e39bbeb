import type { KeyRecord, LeaseId } from "../contract/key-value-store.js";
import type { EtcdKeyValue } from "./messages.js";

/** The lease ids that clients know. */
export type LeaseNameOf = (lease: LeaseId) => bigint;

export const etcdKeyValue = (record: KeyRecord, leaseName: LeaseNameOf): EtcdKeyValue => ({
  key: Buffer.from(record.key),
  create_revision: record.createRevision,
  mod_revision: record.revision,
  version: record.version,
  value: record.value,
  lease: record.lease === undefined ? 0n : leaseName(record.lease),
});
