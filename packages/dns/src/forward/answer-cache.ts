import type { Clock } from "@coxswain/runtime/clock";
import type { Message, ResourceRecord } from "@coxswain/wire/dns";
import { type AnswerKind, lifetimeOf } from "./answer-lifetime.js";

interface Entry {
  readonly message: Message;
  readonly kind: AnswerKind;
  readonly storedAt: number;
  readonly expiresAt: number;
  readonly octets: number;
}

export interface AnswerCacheOptions {
  readonly clock: Clock;
  /** @default 9984, as CoreDNS's for each of the two kinds */
  readonly maxEntries?: number;
  /** Of the messages as they were received. @default 16 MiB */
  readonly maxOctets?: number;
}

/** Answers of other servers for as long as they hold, the least recently used ones leave first. */
export class AnswerCache {
  readonly #clock: Clock;
  readonly #maxEntries: number;
  readonly #maxOctets: number;
  readonly #entries = new Map<string, Entry>();
  readonly #counts: Record<AnswerKind, number> = { success: 0, denial: 0 };
  #octets = 0;

  constructor({ clock, maxEntries = 9984, maxOctets = 16 << 20 }: AnswerCacheOptions) {
    this.#clock = clock;
    this.#maxEntries = maxEntries;
    this.#maxOctets = maxOctets;
  }

  count(kind: AnswerKind): number {
    return this.#counts[kind];
  }

  /** The answer as it is now: the TTL of each record has become less. */
  get(key: string): { readonly message: Message; readonly kind: AnswerKind } | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    const now = this.#clock.monotonic();
    this.#remove(key, entry);
    if (now >= entry.expiresAt) return undefined;
    this.#add(key, entry);
    const seconds = Math.floor((now - entry.storedAt) / 1000);
    return { message: seconds === 0 ? entry.message : aged(entry.message, seconds), kind: entry.kind };
  }

  /** Keeps an answer if it may be kept. `octets`: its length in bytes. */
  put(key: string, message: Message, octets: number): void {
    const lifetime = lifetimeOf(message);
    if (!lifetime || octets > this.#maxOctets) return;
    const before = this.#entries.get(key);
    if (before) this.#remove(key, before);
    const storedAt = this.#clock.monotonic();
    this.#add(key, { message, kind: lifetime.kind, storedAt, expiresAt: storedAt + lifetime.seconds * 1000, octets });
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.#maxEntries && this.#octets <= this.#maxOctets) return;
      this.#remove(oldest, entry);
    }
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#octets += entry.octets;
    this.#counts[entry.kind]++;
  }

  #remove(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#octets -= entry.octets;
    this.#counts[entry.kind]--;
  }
}

function aged(message: Message, seconds: number): Message {
  const age = (record: ResourceRecord): ResourceRecord => ({ ...record, ttl: Math.max(0, record.ttl - seconds) });
  return {
    ...message,
    answers: message.answers.map(age),
    authorities: message.authorities.map(age),
    additionals: message.additionals.map(age),
  };
}
