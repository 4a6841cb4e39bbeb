import type { Clock } from "@coxswain/runtime/clock";
import type { KeyValueStore } from "@coxswain/storage";

/** Time-out of upstream's health check of etcd. */
const healthCheckTimeoutMs = 2_000;

type AskedStore = Pick<KeyValueStore, "readRevision" | "status">;

/**
 * What is wrong with the store, or nothing: it does not answer in time, or a failed disk has made it read-only. An etcd that
 * is full still counts as well, as upstream has it (k8s.io/apiserver/pkg/storage/storagebackend/factory/etcd3.go, newETCD3Check): an operator needs the server to free space. Concurrent checks share one result.
 */
export function createStoreHealth(
  store: AskedStore,
  clock: Pick<Clock, "setTimer">,
): () => Promise<string | undefined> {
  let asking: Promise<string | undefined> | undefined;
  const ask = async (): Promise<string | undefined> => {
    try {
      return await within(clock, async (signal) => {
        await store.readRevision(signal);
        const { engine, readOnly } = await store.status();
        return engine === "etcd" ? undefined : readOnly;
      });
    } catch (error) {
      return `error getting data from etcd: ${error instanceof Error ? error.message : String(error)}`;
    } finally {
      asking = undefined;
    }
  };
  return () => (asking ??= ask());
}

/** What the health of the server depends on of the store. `problem`: what the server itself knows to be wrong with it. */
export function createStoreChecks(
  store: AskedStore,
  clock: Pick<Clock, "setTimer">,
  problem: () => string | undefined,
): { store(): string | undefined | Promise<string | undefined>; room(): Promise<string | undefined> } {
  const health = createStoreHealth(store, clock);
  return { store: () => problem() ?? health(), room: async () => (await store.status()).full };
}

/** The store's size on disk; undefined where it is not known in time. */
export const storeSize = async (store: AskedStore, clock: Pick<Clock, "setTimer">): Promise<number | undefined> =>
  within(clock, async () => (await store.status()).sizeBytes).catch(() => undefined);

async function within<T>(clock: Pick<Clock, "setTimer">, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = clock.setTimer(healthCheckTimeoutMs, () => late.abort(new Error("context deadline exceeded")));
  try {
    return await Promise.race([
      work(late.signal),
      new Promise<never>((_, reject) => late.signal.addEventListener("abort", () => reject(late.signal.reason))),
    ]);
  } finally {
    timer.cancel();
  }
}
