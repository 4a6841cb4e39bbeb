import type { Soon } from "../soon/index.js";

export interface MemoryBudgetOptions {
  /** What all requests together may hold. */
  readonly totalBytes: number;
  /** What the requests of one user may hold, unless a single one needs more. @default half of the total */
  readonly userBytes?: number;
}

/** What one request holds of the budget. */
export interface HeldMemory {
  /** It turned out to need less. */
  reduceTo(bytes: number): void;
  /** More than one call is the same as one. */
  release(): void;
}

interface Waiting {
  readonly user: string;
  readonly bytes: number;
  grant(): void;
}

/**
 * Memory that requests hold while they are processed. A body of 3 MiB may become 60 MB of objects (a million empty ones), and
 * hundreds of requests are processed at once: without a budget a client fills the heap. A request that does not fit waits
 * with its body unread, so that the protocol's flow control stops its client. Requests of a user that has its share wait for
 * that user's others; those of other users overtake them.
 */
export class MemoryBudget {
  readonly #total: number;
  readonly #perUser: number;
  readonly #heldBy = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #held = 0;

  constructor({ totalBytes, userBytes = totalBytes / 2 }: MemoryBudgetOptions) {
    this.#total = totalBytes;
    this.#perUser = userBytes;
  }

  /** Bytes held now. */
  get held(): number {
    return this.#held;
  }

  /** Takes the bytes, at once or when there is room; resolves to what is held then. Rejects when the signal is aborted before. */
  take(user: string, bytes: number, signal: () => AbortSignal): Soon<HeldMemory> {
    if (this.#fits(user, bytes)) return this.#hold(user, bytes);
    const gone = signal();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(waiting);
        reject(gone.reason);
      };
      const waiting: Waiting = {
        user,
        bytes,
        grant: () => {
          gone.removeEventListener("abort", leave);
          resolve(this.#hold(user, bytes));
        },
      };
      if (gone.aborted) return reject(gone.reason);
      this.#waiting.add(waiting);
      gone.addEventListener("abort", leave, { once: true });
    });
  }

  /** A request larger than a limit is served when nothing else is held against it. */
  #fits(user: string, bytes: number): boolean {
    const held = this.#heldBy.get(user) ?? 0;
    return (this.#held === 0 || this.#held + bytes <= this.#total) && (held === 0 || held + bytes <= this.#perUser);
  }

  #hold(user: string, bytes: number): HeldMemory {
    this.#add(user, bytes);
    let held = bytes;
    const reduceTo = (left: number): void => {
      if (left >= held) return;
      this.#add(user, left - held);
      held = left;
      this.#grant();
    };
    return { reduceTo, release: () => reduceTo(0) };
  }

  #add(user: string, bytes: number): void {
    this.#held += bytes;
    const held = (this.#heldBy.get(user) ?? 0) + bytes;
    if (held > 0) this.#heldBy.set(user, held);
    else this.#heldBy.delete(user);
  }

  #grant(): void {
    for (const waiting of this.#waiting) {
      if (this.#held >= this.#total) return;
      if (!this.#fits(waiting.user, waiting.bytes)) continue;
      this.#waiting.delete(waiting);
      waiting.grant();
    }
  }
}
