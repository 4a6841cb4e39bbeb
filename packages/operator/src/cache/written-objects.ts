import { type CachedObject, resourceVersionOf } from "@coxswain/client/informers";
import { isNewerVersion } from "@coxswain/client/stores";

/** What the last write to one object left behind. */
interface Written<T> {
  /** Undefined: it is gone, or the cache does not select it any more. */
  readonly object: T | undefined;
  readonly uid: string;
  /** The write's resourceVersion; of a deletion, the newest one known before it. */
  readonly version: string;
  /** Whether the write ended the object, so that it has no version of its own. */
  readonly deleted: boolean;
}

/** What a cache holds for one key at this moment. */
export interface CachedState<T> {
  readonly object: T | undefined;
  /** The resourceVersion that the whole cache reflects. */
  readonly reached: string;
}

/**
 * The writes of this process that its cache has not seen yet. A reader gets the written object in place of the cached one until
 * the cache has caught up, so that a reconciler never decides by a state that it has itself replaced. Nothing waits.
 *
 * Rests on versions that can be compared, which Kubernetes promises since 1.35 (KEP-5504).
 */
export class WrittenObjects<T extends CachedObject> {
  readonly #written = new Map<string, Written<T>>();
  readonly #cached: (key: string) => CachedState<T>;
  #sweepAt = 64;

  constructor(cached: (key: string) => CachedState<T>) {
    this.#cached = cached;
  }

  get size(): number {
    return this.#written.size;
  }

  /** `object`: what the server answered. `selected`: whether the cache will ever hold it. */
  wrote(key: string, object: T, selected: boolean): void {
    const version = resourceVersionOf(object);
    if (!/^[0-9]+$/.test(version)) return;
    const before = this.#written.get(key);
    // Two writes of one process may be answered in another order than they were carried out.
    if (before !== undefined && isNewerVersion(before.version, version)) return;
    const uid = object.metadata?.uid ?? "";
    this.#keep(key, { object: selected ? object : undefined, uid, version, deleted: false });
  }

  /** The server answered that the object with this uid is gone. */
  deleted(key: string, uid: string): void {
    const before = this.#written.get(key);
    const cached = this.#cached(key).object;
    const known =
      before?.uid === uid ? before.version : cached?.metadata?.uid === uid ? resourceVersionOf(cached) : "0";
    this.#keep(key, { object: undefined, uid, version: known, deleted: true });
  }

  /** What a reader of this key gets. */
  get(key: string): T | undefined {
    const cached = this.#cached(key);
    const written = this.#written.get(key);
    if (written === undefined) return cached.object;
    if (!hasCaughtUp(written, cached)) return written.object;
    this.#written.delete(key);
    return cached.object;
  }

  /** The keys whose cached state is not what readers get, with what they get. */
  *pending(): Generator<readonly [key: string, object: T | undefined]> {
    for (const [key, written] of this.#written) {
      if (hasCaughtUp(written, this.#cached(key))) this.#written.delete(key);
      else yield [key, written.object];
    }
  }

  #keep(key: string, written: Written<T>): void {
    this.#written.set(key, written);
    if (this.#written.size < this.#sweepAt) return;
    // Keys that nobody reads again must not stay: a sweep for every doubling costs a constant time per write.
    for (const _ of this.pending());
    this.#sweepAt = Math.max(64, this.#written.size * 2);
  }
}

/** Pure: whether the cache reflects the write. */
function hasCaughtUp<T extends CachedObject>(written: Written<T>, { object, reached }: CachedState<T>): boolean {
  const passed = reached !== "" && !isNewerVersion(written.version, reached);
  // Past the last version before a deletion, an object that is not there was deleted; one with another uid is its successor.
  if (written.deleted) return object === undefined ? passed : object.metadata?.uid !== written.uid;
  if (object !== undefined && !isNewerVersion(written.version, resourceVersionOf(object))) return true;
  return passed;
}
