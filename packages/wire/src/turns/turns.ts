import type { Clock } from "../clock.js";
import { Company } from "./company.js";
import { eventLoop } from "./event-loop.js";

/** Whoever has work waiting: a connection its requests, a store its answers. */
export interface Patron {
  /** Whom it speaks for; undefined until that is known, or if it is for many. */
  readonly user: string | undefined;
  /** Its work was begun before: it goes before what is not begun yet, and frees what it holds. */
  readonly isUnderWay?: boolean;
  /** Does a piece of work, and further ones while `monotonic` is below `until`; but at most `most` that are not over when it returns. @returns whether there is more to do */
  serve(until: number, most: number): boolean;
}

/** What is done in one turn of the event loop; the sockets are read between turns. */
const turnMs = 0.3;
/** The same for a user who is alone: much of a kind at once takes a third less time, and nobody is kept waiting. */
const turnAloneMs = 2;
const mostAlone = 16;
/** So often in a row the privileged go before others. */
const mostInARow = 8;

/** Connections that share their turns. */
interface Party {
  readonly key: unknown;
  readonly patrons: Patron[];
}

/**
 * What is done next, of all that waits. One thread serves all: without this whoever has five hundred requests under way would be
 * served five hundred times before the next one is. Users take turns, however many connections each has. Before those who have
 * much waiting go who had nothing, and work that is under way already, these two by turns.
 *
 * Time counts with all that follows from a piece of work, up to where it waits for something.
 */
export class Turns {
  readonly #clock: Clock;
  readonly #loop: typeof eventLoop;
  readonly #company = new Company();
  readonly #parties = new Map<unknown, Party>();
  readonly #newcomers: Party[] = [];
  readonly #others: Party[] = [];
  readonly #underWay: Patron[] = [];
  #isTurnSet = false;
  #isServing = false;
  #until = 0;
  #most = 1;
  #inARow = 0;
  #wasUnderWay = false;

  constructor(clock: Clock, loop = eventLoop) {
    this.#clock = clock;
    this.#loop = loop;
  }

  /** Is served as soon as it is its turn: now, if there is time. Not again before it had nothing waiting. */
  enlist(patron: Patron): void {
    if (patron.isUnderWay) this.#underWay.push(patron);
    else this.#join(patron, this.#newcomers);
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
    if (!this.#isTurnSet) this.#beginTurn();
    this.#step();
  }

  #beginTurn(): void {
    const now = this.#clock.monotonic();
    const isShared = this.#company.isExpected(now);
    this.#until = now + (isShared ? turnMs : turnAloneMs);
    this.#most = isShared ? 1 : mostAlone;
    this.#isTurnSet = true;
    this.#loop.nextTurn(this.#turn);
  }

  readonly #turn = (): void => {
    this.#isTurnSet = false;
    if (this.#hasWork && !this.#isServing) this.#serve();
  };

  readonly #step = (): void => {
    this.#isServing = this.#hasWork && this.#clock.monotonic() < this.#until;
    if (!this.#isServing) return;
    this.#loop.afterThis(this.#step);
    this.#serveNext();
  };

  get #hasWork(): boolean {
    return this.#parties.size > 0 || this.#underWay.length > 0;
  }

  #serveNext(): void {
    const patron = this.#next();
    const hasMore = patron.serve(this.#until, this.#most);
    this.#company.note(patron.user, this.#until);
    if (!hasMore) return;
    if (patron.isUnderWay) this.#underWay.push(patron);
    else this.#join(patron, this.#others);
  }

  #next(): Patron {
    const privileged = this.#inARow < mostInARow ? this.#nextPrivileged() : undefined;
    this.#inARow = privileged && this.#others.length > 0 ? this.#inARow + 1 : 0;
    return privileged ?? this.#firstOf(this.#others);
  }

  #nextPrivileged(): Patron | undefined {
    this.#wasUnderWay = this.#underWay.length > 0 && !(this.#wasUnderWay && this.#newcomers.length > 0);
    if (this.#wasUnderWay) return this.#underWay.shift();
    return this.#newcomers.length > 0 ? this.#firstOf(this.#newcomers) : undefined;
  }

  #firstOf(row: Party[]): Patron {
    const party = row.shift()!;
    const patron = party.patrons.shift()!;
    if (party.patrons.length > 0) this.#others.push(party);
    else this.#parties.delete(party.key);
    return patron;
  }
}
