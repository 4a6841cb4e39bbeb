import { append } from "@coxswain/apimachinery/append";
import type { KeyEvent } from "../contract/key-value-store.js";

interface Entry {
  readonly revision: number;
  readonly events: readonly KeyEvent[];
  readonly bytes: number;
}

/** The newest events, so that a watch from just before now needs not ask etcd, which would let it wait for a tenth of a second. */
export class EventRing {
  readonly #entries: Entry[] = [];
  readonly #limits: { readonly events: number; readonly bytes: number };
  #events = 0;
  #bytes = 0;
  #start: number;

  /** @param start nothing is known of this revision and those before it */
  constructor(start: number, limits = { events: 4096, bytes: 8 * 1024 * 1024 }) {
    this.#start = start;
    this.#limits = limits;
  }

  /** Everything after this revision is here. */
  get start(): number {
    return this.#start;
  }

  /** Events of whole revisions, the newest of which is `revision`. */
  push(events: readonly KeyEvent[], revision: number): void {
    const bytes = events.reduce(
      (sum, { record, previous }) => sum + (record?.value.length ?? 0) + (previous?.value.length ?? 0),
      0,
    );
    this.#entries.push({ revision, events, bytes });
    this.#events += events.length;
    this.#bytes += bytes;
    while (this.#entries.length > 1 && (this.#events > this.#limits.events || this.#bytes > this.#limits.bytes)) {
      const gone = this.#entries.shift()!;
      this.#events -= gone.events.length;
      this.#bytes -= gone.bytes;
      this.#start = gone.revision;
    }
  }

  /** The next events after a revision, about `most`, and the revision up to which they are all. */
  after(revision: number, most: number): { events: KeyEvent[]; upTo: number } | undefined {
    const events: KeyEvent[] = [];
    let upTo: number | undefined;
    for (let index = this.#indexAfter(revision); index < this.#entries.length && events.length < most; index += 1) {
      append(events, this.#entries[index]!.events);
      upTo = this.#entries[index]!.revision;
    }
    return upTo === undefined ? undefined : { events, upTo };
  }

  /** Of the first entry with a later revision. */
  #indexAfter(revision: number): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#entries[middle]!.revision > revision) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
