/** Remembers the ids of streams; when there are too many, the oldest go. */
export class RecentIds {
  readonly #ids = new Set<number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(id: number): void {
    for (const oldest of this.#ids) {
      if (this.#ids.size < this.#most) break;
      this.#ids.delete(oldest);
    }
    this.#ids.add(id);
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  delete(id: number): void {
    this.#ids.delete(id);
  }
}
