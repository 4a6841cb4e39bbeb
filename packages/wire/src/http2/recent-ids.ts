/** Remembers the ids of streams, up to a limit: then the oldest are forgotten. */
export class RecentIds {
  readonly #ids = new Set<number>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(id: number): void {
    this.#ids.add(id);
    if (this.#ids.size <= this.#limit) return;
    for (const oldest of this.#ids) return void this.#ids.delete(oldest);
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  delete(id: number): void {
    this.#ids.delete(id);
  }
}
