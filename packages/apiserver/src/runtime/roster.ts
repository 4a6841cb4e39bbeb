/** What can stand in a roster, in one at a time. */
export interface Rostered {
  /** Where it stands; the roster's to set. @default -1 */
  place: number;
}

/**
 * A set of what comes and goes with every request.
 *
 * Not a Set: one that things come to and go from makes itself a new table every few times, and each table points to the one after
 * it. Once one has become old, V8 takes all that follow for alive until it looks through the whole heap, and with them every request
 * that was under way when they were replaced: half of what is allocated is then moved to the old generation.
 */
export class Roster<T extends Rostered> implements Iterable<T> {
  readonly #all: T[] = [];

  get size(): number {
    return this.#all.length;
  }

  add(one: T): void {
    one.place = this.#all.push(one) - 1;
  }

  /** The last one takes its place. */
  delete(one: T): void {
    if (this.#all[one.place] !== one) return;
    const last = this.#all.pop() as T;
    if (last !== one) {
      this.#all[one.place] = last;
      last.place = one.place;
    }
    one.place = -1;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#all.values();
  }
}
