import type { Patron, Turns } from "@coxswain/wire/turns";

/**
 * Tells writers what became of their writes, a few at a time: a hundred that were stored together would otherwise all go on at
 * once, and nobody else be heard meanwhile.
 */
export class PacedAnswers implements Patron {
  readonly user = undefined;
  readonly isUnderWay = true;
  readonly #turns: Turns;
  #waiting: (() => void)[] = [];
  #told = 0;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  add(tell: () => void): void {
    this.#waiting.push(tell);
    if (this.#waiting.length === 1) this.#turns.enlist(this);
  }

  /** Resolves when all have been told who were added so far. */
  told(): Promise<void> {
    return new Promise((resolve) => this.add(resolve));
  }

  serve(_until: number, most: number): boolean {
    for (let i = 0; i < most && this.#told < this.#waiting.length; i++) this.#waiting[this.#told++]!();
    if (this.#told < this.#waiting.length) return true;
    this.#waiting = [];
    this.#told = 0;
    return false;
  }
}
