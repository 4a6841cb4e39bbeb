/** Who was here is expected to come again for so long. */
const expectedMs = 10_000;

/** Whether more than one user is served these days. */
export class Company {
  #latest: string | undefined;
  #changed = Number.NEGATIVE_INFINITY;

  /** Something was done for a user; undefined: nobody knows whom. */
  note(user: string | undefined, now: number): void {
    if (user === undefined || user === this.#latest) return;
    if (this.#latest !== undefined) this.#changed = now;
    this.#latest = user;
  }

  isExpected(now: number): boolean {
    return now - this.#changed < expectedMs;
  }
}
