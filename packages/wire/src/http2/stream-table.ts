/**
 * The streams of one connection by their ids; few at a time, and most of them short-lived.
 *
 * Not a Map: a Map that things come to and go from makes itself a new table every few times, and each table points to the one
 * after it. Once one has become old, V8 takes all that follow for alive until it looks through the whole heap, and with them every
 * request that was under way when they were replaced: half of what is allocated is then moved to the old generation.
 */
export class StreamTable<S> {
  readonly #ids: number[] = [];
  readonly #streams: S[] = [];

  get size(): number {
    return this.#ids.length;
  }

  get(id: number): S | undefined {
    const at = this.#ids.lastIndexOf(id);
    return at < 0 ? undefined : this.#streams[at];
  }

  /** @param id one that is not there */
  set(id: number, stream: S): void {
    this.#ids.push(id);
    this.#streams.push(stream);
  }

  /** The last one takes its place. */
  delete(id: number): void {
    const at = this.#ids.lastIndexOf(id);
    if (at < 0) return;
    const lastId = this.#ids.pop() as number;
    const last = this.#streams.pop() as S;
    if (at === this.#ids.length) return;
    this.#ids[at] = lastId;
    this.#streams[at] = last;
  }

  /** A copy: whoever is told may end streams. */
  values(): readonly S[] {
    return [...this.#streams];
  }
}
