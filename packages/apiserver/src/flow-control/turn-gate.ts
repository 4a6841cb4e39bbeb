/** Somebody who has requests waiting. */
export interface Dispatcher {
  /** Lets one more request run, if there is one that may; false otherwise. */
  dispatchOne(): boolean;
}

export interface TurnGateOptions {
  /** Seats per turn. @default 4 */
  readonly seats?: number;
  /** Calls back once the sockets have been read again. @default setImmediate */
  readonly nextTurn?: (run: () => void) => void;
}

/**
 * How much of the work that has waited for seats is begun in one turn of the event loop. A hundred writes end together, when they are
 * stored together, and leave a hundred seats: without this all who get them would begin at once, and nobody else be heard meanwhile.
 * The rest stays in its queue for the next turn, and levels that wait take turns. What comes in from clients has its own turns.
 */
export class TurnGate {
  readonly #seats: number;
  readonly #nextTurn: (run: () => void) => void;
  #left: number;
  #refused = 0;
  #isSet = false;
  #waiting = new Set<Dispatcher>();

  constructor({ seats = 4, nextTurn = (run) => void setImmediate(run) }: TurnGateOptions = {}) {
    this.#seats = seats;
    this.#left = seats;
    this.#nextTurn = nextTurn;
  }

  get isOpen(): boolean {
    return this.#left > 0;
  }

  /** Something begins that takes so many seats. */
  take(seats: number): void {
    this.#left -= seats;
    this.#set();
  }

  /** A request was refused, which takes time of the turn: the next begins more, so that clients who do not take no for an answer do not starve those who wait. */
  refused(): void {
    this.#refused += 1;
  }

  /** Is asked again in the next turn. */
  wait(dispatcher: Dispatcher): void {
    this.#waiting.add(dispatcher);
    this.#set();
  }

  #set(): void {
    if (this.#isSet) return;
    this.#isSet = true;
    this.#nextTurn(this.#turn);
  }

  readonly #turn = (): void => {
    this.#isSet = false;
    this.#left = this.#seats + Math.floor(this.#refused / 4);
    this.#refused = 0;
    if (this.#waiting.size === 0) return;
    let able = [...this.#waiting];
    this.#waiting = new Set();
    while (able.length > 0 && this.#left > 0) {
      const [first, ...others] = able as [Dispatcher, ...Dispatcher[]];
      // Who cannot go on is woken by whoever makes room.
      able = first.dispatchOne() ? [...others, first] : others;
    }
    for (const dispatcher of able) this.wait(dispatcher);
  };
}
