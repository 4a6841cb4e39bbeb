import type { Patron, Turns } from "@coxswain/wire/turns";

/** Somebody who has requests waiting. */
export interface Dispatcher {
  /** Lets one more request run, if there is one that may; false otherwise. */
  dispatchOne(): boolean;
}

/**
 * When work that has waited for seats is begun. A hundred writes end together, when they are stored together, and leave a hundred
 * seats: without this all who get them would begin at once, and nobody else be heard meanwhile. Levels that wait take turns.
 */
export class TurnGate implements Patron {
  readonly user = undefined;
  readonly isUnderWay = true;
  readonly #turns: Pick<Turns, "enlist">;
  readonly #waiting: Dispatcher[] = [];
  #isEnlisted = false;

  constructor(turns: Pick<Turns, "enlist">) {
    this.#turns = turns;
  }

  /** Is asked when it is its turn, and again as long as it can go on. */
  wait(dispatcher: Dispatcher): void {
    if (!this.#waiting.includes(dispatcher)) this.#waiting.push(dispatcher);
    if (this.#isEnlisted) return;
    this.#isEnlisted = true;
    this.#turns.enlist(this);
  }

  serve(): boolean {
    let dispatcher = this.#waiting[0];
    // Who cannot go on is woken by whoever makes room.
    while (dispatcher && !dispatcher.dispatchOne()) {
      this.#waiting.shift();
      dispatcher = this.#waiting[0];
    }
    if (this.#waiting.length > 1) this.#waiting.push(this.#waiting.shift()!);
    this.#isEnlisted = this.#waiting.length > 0;
    return this.#isEnlisted;
  }
}
