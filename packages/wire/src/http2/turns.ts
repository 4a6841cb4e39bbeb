import type { Clock } from "../clock.js";

/** Somebody who has requests waiting. */
export interface Patron {
  /** Serves one. @returns whether another is waiting */
  serveOne(): boolean;
}

/** What is begun in one turn of the event loop. The sockets are read between turns. */
const turnMs = 0.3;

/**
 * Whose request is next, of all connections. One thread serves all: without this whoever has five hundred requests under way would
 * be served five hundred times before the next one is. Connections take turns, request by request, and who had nothing waiting
 * goes before those who have.
 */
export class Turns {
  readonly #clock: Clock;
  readonly #nextTurn: (run: () => void) => void;
  #newcomers: Patron[] = [];
  #others: Patron[] = [];
  #isSet = false;
  #isServing = false;
  #until = 0;

  /** @param nextTurn calls back once the sockets have been read again */
  constructor(clock: Clock, nextTurn: (run: () => void) => void = (run) => void setImmediate(run)) {
    this.#clock = clock;
    this.#nextTurn = nextTurn;
  }

  /** Is served as soon as it is its turn: now, if there is time. Not again before it had nothing waiting. */
  enlist(patron: Patron): void {
    this.#newcomers.push(patron);
    if (!this.#isServing) this.#serve();
  }

  #serve(): void {
    if (!this.#isSet) {
      this.#isSet = true;
      this.#until = this.#clock.monotonic() + turnMs;
      this.#nextTurn(this.#turn);
    }
    this.#isServing = true;
    try {
      while ((this.#newcomers.length > 0 || this.#others.length > 0) && this.#clock.monotonic() < this.#until) {
        const patron = this.#newcomers.shift() ?? this.#others.shift()!;
        if (patron.serveOne()) this.#others.push(patron);
      }
    } finally {
      this.#isServing = false;
    }
  }

  readonly #turn = (): void => {
    this.#isSet = false;
    if (this.#newcomers.length > 0 || this.#others.length > 0) this.#serve();
  };
}
