import type { Clock } from "../clock.js";

/** A connection that has requests waiting. */
export interface Patron {
  /** Whom it speaks for; undefined until that is known. */
  readonly user: string | undefined;
  /** Serves one, and some more while `monotonic` is below `until`. @returns whether others are waiting */
  serve(until: number): boolean;
}

/** What is begun in one turn of the event loop. The sockets are read between turns. */
const turnMs = 0.3;

/** Connections that share their turns. */
interface Party {
  readonly key: unknown;
  readonly patrons: Patron[];
}

/**
 * Whose request is next, of all connections. One thread serves all: without this whoever has five hundred requests under way would
 * be served five hundred times before the next one is. Users take turns, however many connections each has, and who had nothing
 * waiting goes before those who have.
 */
export class Turns {
  readonly #clock: Clock;
  readonly #nextTurn: (run: () => void) => void;
  readonly #parties = new Map<unknown, Party>();
  readonly #newcomers: Party[] = [];
  readonly #others: Party[] = [];
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
    this.#join(patron, this.#newcomers);
    if (!this.#isServing) this.#serve();
  }

  #join(patron: Patron, row: Party[]): void {
    const key = patron.user ?? patron;
    const party = this.#parties.get(key);
    if (party) return void party.patrons.push(patron);
    const founded = { key, patrons: [patron] };
    this.#parties.set(key, founded);
    row.push(founded);
  }

  #serve(): void {
    if (!this.#isSet) {
      this.#isSet = true;
      this.#until = this.#clock.monotonic() + turnMs;
      this.#nextTurn(this.#turn);
    }
    this.#isServing = true;
    try {
      while (this.#parties.size > 0 && this.#clock.monotonic() < this.#until) this.#serveNext();
    } finally {
      this.#isServing = false;
    }
  }

  #serveNext(): void {
    const party = (this.#newcomers.shift() ?? this.#others.shift())!;
    const patron = party.patrons.shift()!;
    if (party.patrons.length > 0) this.#others.push(party);
    else this.#parties.delete(party.key);
    if (patron.serve(this.#until)) this.#join(patron, this.#others);
  }

  readonly #turn = (): void => {
    this.#isSet = false;
    if (this.#parties.size > 0) this.#serve();
  };
}
