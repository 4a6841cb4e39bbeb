/**
 * Remembers the ids of streams; when there are too many, the oldest go. Not a Set: most ids are forgotten as soon as they were
 * added, and a Set would make itself a new table every few times.
 */
export class RecentIds {
  readonly #ids: number[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(id: number): void {
    if (this.has(id)) return;
    if (this.#ids.length >= this.#most) this.#ids.shift();
    this.#ids.push(id);
  }

  has(id: number): boolean {
    return this.#ids.includes(id);
  }

  delete(id: number): void {
    if (this.#ids.at(-1) === id) return void this.#ids.pop();
    const at = this.#ids.indexOf(id);
    if (at >= 0) this.#ids.splice(at, 1);
  }
}
