import type { Patron, Turns } from "@coxswain/wire/turns";

/**
 * Tells writers what became of their writes, a few at a time: a hundred that were stored together would otherwise all go on at
 * once, and nobody else be heard meanwhile.
 */
export class PacedAnswers implements Patron {
  readonly user = undefined;
  readonly isUnderWay = true;
  readonly #turns: Turns;
  readonly #waiting: (() => void)[] = [];
  #isEnlisted = false;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  add(tell: () => void): void {
    this.#waiting.push(tell);
    if (this.#isEnlisted) return;
    this.#isEnlisted = true;
    this.#turns.enlist(this);
  }

  /** Resolves when all have been told who were added so far. */
  told(): Promise<void> {
    return new Promise((resolve) => this.add(resolve));
  }

  serve(_until: number, most: number): boolean {
    for (const tell of this.#waiting.splice(0, most)) tell();
    this.#isEnlisted = this.#waiting.length > 0;
    return this.#isEnlisted;
  }
}
