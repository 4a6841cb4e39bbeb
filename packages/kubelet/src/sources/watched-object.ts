import type { CachedObject } from "@coxswain/client/informers";
import { createReflector, filterListerWatcher } from "@coxswain/client/informers";
import type { ListerWatcher } from "@coxswain/client/watch";
import type { Runtime } from "@coxswain/runtime";

/** One object that is followed by a watch of its own: a node may watch by name what its pods refer to, and nothing else. */
export interface WatchedObject {
  /** Its state as the watch has it; undefined: there is none. @throws Error where the server does not answer in time */
  get(): Promise<CachedObject | undefined>;
  stop(): Promise<void>;
}

export interface WatchedObjectOptions {
  readonly listerWatcher: ListerWatcher<CachedObject>;
  readonly name: string;
  /** In messages: `configmap`. */
  readonly kind: string;
  readonly runtime: Runtime;
  /** It changed, appeared or disappeared after the first state was known. */
  onChange(): void;
}

/** How long a pod waits for the first state. Upstream's is one second; a server that starts beside its nodes takes longer. */
const syncTimeoutMs = 10_000;
/** As upstream (pkg/kubelet/util/manager/watch_based_manager.go, maxIdleTime): a watch by name is cheap to keep and dear to open again. */
const watchTimeoutSeconds = { min: 1800, max: 3600 };

export function watchObject({ listerWatcher, name, kind, runtime, onChange }: WatchedObjectOptions): WatchedObject {
  const ending = new AbortController();
  /** Called once the first state is known. */
  const waiting = new Set<() => void>();
  let isSynced = false;
  let current: CachedObject | undefined;

  const set = (object: CachedObject | undefined): void => {
    const hasChanged = object?.metadata?.resourceVersion !== current?.metadata?.resourceVersion;
    current = object;
    if (!isSynced) {
      isSynced = true;
      for (const resolve of waiting) resolve();
    } else if (hasChanged) onChange();
    if (isImmutable(object)) ending.abort(); // it can no longer change
  };
  const reflector = createReflector<CachedObject>({
    listerWatcher: filterListerWatcher(listerWatcher, { fieldSelector: `metadata.name=${name}` }),
    target: {
      add: set,
      update: set,
      delete: () => set(undefined),
      replace: (objects) => set(objects[0]),
      bookmark: () => {},
    },
    runtime,
    watchTimeoutSeconds,
    onError: (error) => runtime.log.debug("Watch of a referenced object failed", { kind, name, error }),
  });
  const running = reflector.run(ending.signal);

  const firstState = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        timer.cancel();
        waiting.delete(synced);
        settle();
      };
      const synced = (): void => end(resolve);
      const timer = runtime.clock.setTimer(syncTimeoutMs, () =>
        end(() => reject(new Error(`failed to sync ${kind} cache: timed out waiting for the condition`))),
      );
      waiting.add(synced);
    });

  return {
    async get() {
      if (!isSynced) await firstState();
      return current;
    },
    async stop() {
      ending.abort();
      await running;
    },
  };
}

const isImmutable = (object: CachedObject | undefined): boolean =>
  (object as { immutable?: boolean } | undefined)?.immutable === true;
