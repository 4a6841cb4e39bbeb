import { systemRuntime } from "@coxswain/runtime";
import type { KeyValueStore } from "../../contract/key-value-store.js";
import { createEtcdClient } from "../etcd-client.js";
import { type EtcdStoreOptions, openEtcdStore } from "../etcd-store.js";
import { rangeOfPrefix } from "../key-range.js";
import { rpc } from "../rpc.js";

export const openForTests = (
  endpoints: readonly string[],
  options: Partial<EtcdStoreOptions> = {},
): Promise<KeyValueStore> =>
  openEtcdStore({ endpoints, runtime: systemRuntime(), compactionIntervalMs: 0, ...options });

/** Deletes all keys and forgets that they ever were. */
export async function wipe(endpoints: readonly string[]): Promise<void> {
  const client = createEtcdClient({ endpoints, runtime: systemRuntime() });
  const { header } = await client.call(
    rpc.transaction,
    { compare: [], success: [{ delete: rangeOfPrefix("") }], failure: [] },
    { kind: "read" },
  );
  await client.call(rpc.compact, { revision: header!.revision }, { kind: "read" }).catch(() => undefined); // Compacted already.
  await client.close();
}
