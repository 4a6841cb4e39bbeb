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
const turnMs = 0.1;
/** The same for a user who is alone: much of a kind at once takes a third less time, and nobody is kept waiting. */
const turnAloneMs = 2;
const mostAlone = 16;
/** So often in a row the privileged go before others, and once more for somebody who has just come. */
const mostInARow = 8;
/** So often newcomers go before work that is under way. */
const mostNewcomersInARow = 2;

/** In a jam who has so many requests under way begins no more: they would only wait, and hold memory. */
const laden = 16;

/** So many users are remembered before those are forgotten of whom nothing is left. */
const mostUsers = 1000;

/** Connections that share their turns. */
interface Party {
  readonly patrons: Patron[];
  /** Requests that are under way. */
  load: number;
}

/**
 * What is done next, of all that waits. One thread serves all: without this whoever has five hundred requests under way would be
 * served five hundred times before the next one is. Users take turns, however many connections each has. Before those who have
 * much waiting go who had nothing, and work that is under way already.
 *
 * Time counts with all that follows from a piece of work, up to where it waits for something.
 */
export class Turns {
  readonly #clock: Clock;
  readonly #loop: typeof eventLoop;
  readonly #company = new Company();
  /** Users stay: a map that things come to and go from makes garbage, and keeps alive what was in it. */
  readonly #users = new Map<string, Party>();
  readonly #newcomers: Party[] = [];
  readonly #others: Party[] = [];
  readonly #underWay: Patron[] = [];
  #mostUsers = mostUsers;
  #isJammed = false;
  #isTurnSet = false;
  #isServing = false;
  #until = 0;
  #isShared = false;
  #inARow = 0;
  #newcomersInARow = 0;

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

  /** Resolves when it is the turn of work that was begun before; what follows from it counts to that turn. */
  come(): Promise<void> {
    return new Promise((resolve) =>
      this.enlist({ user: undefined, isUnderWay: true, serve: () => (resolve(), false) }),
    );
  }

  /** More than one user is served these days: turns are short, and so should be each piece of work. */
  get isShared(): boolean {
    return this.#isShared;
  }

  /** A request of this user is not over yet, and waits for something. */
  began(user: string): void {
    this.#partyOf(user).load += 1;
  }

  ended(user: string): void {
    this.#partyOf(user).load -= 1;
  }

  /** Told whether what many wait for, such as the disk, is far behind. */
  noteJam(isJammed: boolean): void {
    const isOver = this.#isJammed && !isJammed;
    this.#isJammed = isJammed;
    if (isOver && !this.#isServing) this.#serve();
  }

  #join(patron: Patron, row: Party[]): void {
    const party = patron.user === undefined ? foundParty() : this.#partyOf(patron.user);
    party.patrons.push(patron);
    if (party.patrons.length === 1) row.push(party);
  }

  #partyOf(user: string): Party {
    const known = this.#users.get(user);
    if (known) return known;
    if (this.#users.size >= this.#mostUsers) this.#forgetUsers();
    const party = foundParty();
    this.#users.set(user, party);
    return party;
  }

  #forgetUsers(): void {
    for (const [user, { patrons, load }] of this.#users)
      if (patrons.length === 0 && load === 0) this.#users.delete(user);
    this.#mostUsers = Math.max(mostUsers, 2 * this.#users.size);
  }

  #serve(): void {
    if (!this.#isTurnSet) this.#beginTurn();
    this.#step();
  }

  #beginTurn(): void {
    const now = this.#clock.monotonic();
    this.#isShared = this.#company.isExpected(now);
    this.#until = now + (this.#isShared ? turnMs : turnAloneMs);
  }

  readonly #turn = (): void => {
    this.#isTurnSet = false;
    if (!this.#isServing) this.#serve();
  };

  readonly #step = (): void => {
    // One in each turn, however late: nobody else would set the next.
    const patron = !this.#isTurnSet || this.#clock.monotonic() < this.#until ? this.#next() : undefined;
    this.#isServing = patron !== undefined;
    if (patron === undefined) return;
    if (!this.#isTurnSet) {
      this.#isTurnSet = true;
      this.#loop.nextTurn(this.#turn);
    }
    this.#loop.afterThis(this.#step);
    this.#serveOne(patron);
  };

  #serveOne(patron: Patron): void {
    const hasMore = patron.serve(this.#until, this.#isShared ? 1 : mostAlone);
    this.#company.note(patron.user, this.#until);
    if (!hasMore) return;
    if (patron.isUnderWay) this.#underWay.push(patron);
    else this.#join(patron, this.#others);
  }

  #next(): Patron | undefined {
    const privileged =
      this.#inARow < mostInARow
        ? this.#nextPrivileged()
        : this.#inARow === mostInARow
          ? this.#nextNewcomer()
          : undefined;
    this.#inARow = privileged && this.#others.length > 0 ? this.#inARow + 1 : 0;
    return privileged ?? this.#nextOther() ?? this.#nextPrivileged();
  }

  #nextPrivileged(): Patron | undefined {
    const newcomer = this.#newcomersInARow < mostNewcomersInARow ? this.#nextNewcomer() : undefined;
    this.#newcomersInARow = newcomer && this.#underWay.length > 0 ? this.#newcomersInARow + 1 : 0;
    return newcomer ?? this.#underWay.shift() ?? this.#nextNewcomer();
  }

  #nextNewcomer(): Patron | undefined {
    return this.#firstOf(this.#newcomers.shift());
  }

  #nextOther(): Patron | undefined {
    if (!this.#isJammed || !this.#isShared) return this.#firstOf(this.#others.shift());
    const at = this.#others.findIndex(({ load }) => load < laden);
    return at < 0 ? undefined : this.#firstOf(this.#others.splice(at, 1)[0]);
  }

  #firstOf(party: Party | undefined): Patron | undefined {
    if (party === undefined) return undefined;
    const patron = party.patrons.shift();
    if (party.patrons.length > 0) this.#others.push(party);
    return patron;
  }
}

const foundParty = (): Party => ({ patrons: [], load: 0 });
