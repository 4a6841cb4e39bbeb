import { StoreError } from "../contract/store-error.js";
import { endOfLog, type Position } from "./position.js";

/** Why a change or its value cannot be read. */
export const differs = "its checksum differs";
export const isGone = "it is not in the store any more";

export const damagedChange = (revision: number, why: string): StoreError =>
  new StoreError("unreadable", `data.mdb is damaged: revision ${revision} in the log cannot be read: ${why}`);

export const missingChange = ({ revision, sub }: Position): StoreError =>
  new StoreError(
    "unreadable",
    `data.mdb is damaged: ${sub === 0 ? "" : `change ${sub + 1} of `}revision ${revision} is missing in the log`,
  );

/** Sees to it that a search backwards passes every change: one that is missing might have been the one that is searched for. */
export class BackwardGaps {
  readonly #start: Position;
  readonly #upTo: number;
  readonly #first: number;
  #last: Position | undefined;

  /** The search begins at `start`, which is a change or the end of a log that reaches `upTo`, and ends with the first change behind the revision `first`. */
  constructor(start: Position, upTo: number, first: number) {
    this.#start = start;
    this.#upTo = upTo;
    this.#first = first;
  }

  step(position: Position, isLast: boolean): void {
    const last = this.#last;
    this.#last = position;
    if (last !== undefined) {
      const { revision, sub } = last;
      if (sub > 0 ? !isAt(position, revision, sub - 1) : position.revision !== revision - 1 || !isLast)
        throw missingChange(sub > 0 ? { revision, sub: sub - 1 } : { revision: revision - 1, sub: 0 });
    } else if (this.#start !== endOfLog) {
      if (!isAt(position, this.#start.revision, this.#start.sub)) throw missingChange(this.#start);
    } else if (position.revision < this.#upTo || !isLast) {
      throw missingChange({ revision: this.#upTo, sub: 0 });
    }
  }

  end(): void {
    const isComplete = this.#last === undefined ? this.#upTo <= this.#first : isAt(this.#last, this.#first + 1, 0);
    if (!isComplete) throw missingChange({ revision: this.#first + 1, sub: 0 });
  }
}

const isAt = (position: Position, revision: number, sub: number): boolean =>
  position.revision === revision && position.sub === sub;
