import type { UnreadableValue } from "@coxswain/storage";

/** An object that is stored, and whose value cannot be read. */
export interface UnreadableObject {
  readonly key: string;
  /** Of the write that cannot be read. */
  readonly revision: number;
  readonly why: UnreadableValue;
}

/** Those of one resource, by key. */
export class UnreadableObjects {
  readonly #byKey = new Map<string, UnreadableObject>();
  /** When the first of those that are there now was found, by the monotonic clock in milliseconds. */
  #since = 0;

  get size(): number {
    return this.#byKey.size;
  }

  get since(): number {
    return this.#since;
  }

  has(key: string): boolean {
    return this.#byKey.size > 0 && this.#byKey.has(key);
  }

  get(key: string): UnreadableObject | undefined {
    return this.#byKey.size === 0 ? undefined : this.#byKey.get(key);
  }

  all(): Iterable<UnreadableObject> {
    return this.#byKey.values();
  }

  /** Those whose key starts with `prefix`, in key order. */
  below(prefix: string): UnreadableObject[] {
    if (this.#byKey.size === 0) return [];
    return [...this.#byKey.values()]
      .filter(({ key }) => key.startsWith(prefix))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  add(object: UnreadableObject, now: number): void {
    if (this.#byKey.size === 0) this.#since = now;
    this.#byKey.set(object.key, object);
  }

  /** Behind the others in `all`. */
  moveLast(key: string): void {
    const object = this.#byKey.get(key);
    if (!object) return;
    this.#byKey.delete(key);
    this.#byKey.set(key, object);
  }

  delete(key: string): boolean {
    return this.#byKey.size > 0 && this.#byKey.delete(key);
  }
}
