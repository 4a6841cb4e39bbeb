import { smallest } from "@coxswain/apimachinery/append";
import { hasStoreReason, StoreError } from "../contract/store-error.js";
import type { CompactionState } from "./compaction-state.js";
import type { EtcdClient } from "./etcd-client.js";
import { rangeOfPrefix } from "./key-range.js";
import { readRevision } from "./reads.js";
import { rpc } from "./rpc.js";
import { watchOnce } from "./watch-stream.js";

/** etcd has no call for it, and asking takes it up to a tenth of a second. */
const foundForMs = 10_000;

export function createCompaction(client: EtcdClient, clock: { monotonic(): number }): CompactionState {
  const held = new Set<{ revision: number }>();
  let known = 0;
  let done = 0;
  let foundAt = Number.NEGATIVE_INFINITY;
  const learn = (revision: number): void => void (known = Math.max(known, revision));
  /** Carries out what is allowed of what was asked for. */
  const carryOut = async (): Promise<void> => {
    const revision = smallest(
      [...held].map((one) => one.revision),
      known,
    );
    if (revision <= done) return;
    try {
      await client.call(rpc.compact, { revision }, { kind: "read" });
    } catch (error) {
      if (!hasStoreReason(error, "expired")) throw error; // Somebody else was faster.
    }
    done = Math.max(done, revision);
  };
  return {
    get known() {
      return known;
    },
    check(at) {
      if (at > 0 && at < known)
        throw new StoreError("expired", `revision ${at} is compacted: history begins at ${known}`);
    },
    async compact(revision) {
      if (revision <= known) return;
      const current = await readRevision(client);
      if (revision > current)
        throw new StoreError("future", `revision ${revision} is not there yet: the newest is ${current}`);
      learn(revision);
      await carryOut();
    },
    async find(signal) {
      if (clock.monotonic() - foundAt < foundForMs) return known;
      learn(await askForCompaction(client, signal));
      foundAt = clock.monotonic();
      return known;
    },
    learn,
    hold(revision) {
      const hold = { revision };
      held.add(hold);
      return async () => {
        if (held.delete(hold)) await carryOut();
      };
    },
  };
}

/** A watch from the very beginning is refused with the revision that it may begin at. */
async function askForCompaction(client: EtcdClient, signal?: AbortSignal): Promise<number> {
  const { key } = rangeOfPrefix(client.prefix);
  try {
    await client.call(rpc.range, { key, revision: 1, countOnly: true }, { kind: "read", signal });
    return 0;
  } catch (error) {
    if (!hasStoreReason(error, "expired")) throw error;
  }
  return (await watchOnce(client, { key, startRevision: 1 }, (response) => response.canceled, signal)).compactRevision;
}
