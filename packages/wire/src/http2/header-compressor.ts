import { indexOfName } from "./hpack-encoder.js";
import { staticTable } from "./hpack-tables.js";

const entryOverhead = 32;
/** More than any peer's default; a larger table would be remembered for nothing. */
const largestTable = 4096;
/** Names may come from others, whose answers are handed on. */
const mostNames = 64;

/** What was said last under a name. */
interface Said {
  value: string;
  /** Which of all entries ever made holds the name; 0: none. */
  entry: number;
  /** What that entry says. */
  entryValue: string;
}

/**
 * The headers of one direction of a connection, in few bytes (RFC 7541). Answers on a connection are much alike: a value that
 * is said twice in a row under its name becomes an entry of the table that both sides keep, and is one byte from then on.
 */
export class HeaderCompressor {
  readonly #said = new Map<string, Said>();
  /** The sizes of the entries that are in the table, oldest first. */
  #sizes: number[] = [];
  #made = 0;
  #gone = 0;
  #bytes = 0;
  #limit = largestTable;
  #announced = largestTable;
  #room = Buffer.allocUnsafe(1024);
  #at = 0;

  /** As the other side asks for. */
  limitTable(bytes: number): void {
    this.#limit = Math.min(bytes, largestTable);
  }

  /** @returns valid until the next call */
  encode(status: number, headers: Readonly<Record<string, string | readonly string[]>>): Buffer {
    this.#at = 0;
    if (this.#announced !== this.#limit) this.#announceLimit();
    this.#status(status);
    for (const name in headers) {
      const value = headers[name]!;
      if (typeof value === "string") this.#header(name, value);
      else for (const one of value) this.#header(name, one);
    }
    return this.#room.subarray(0, this.#at);
  }

  #announceLimit(): void {
    this.#integer(this.#limit, 5, 0x20);
    this.#announced = this.#limit;
    this.#evict(0);
  }

  #status(status: number): void {
    const index = statusIndex.get(status);
    if (index !== undefined) return this.#integer(index, 7, 0x80);
    this.#integer(statusName, 4, 0);
    this.#string(String(status));
  }

  #header(name: string, value: string): void {
    const said = this.#said.get(name);
    const isThere = said !== undefined && said.entry > this.#gone;
    if (isThere && said.entryValue === value) return this.#integer(this.#indexOf(said.entry), 7, 0x80);
    const known = isThere ? this.#indexOf(said.entry) : indexOfName.get(name);
    const isWorthIt =
      (said === undefined || said.value === value) && name.length + value.length + entryOverhead <= this.#limit / 4;
    this.#integer(known ?? 0, isWorthIt ? 6 : 4, isWorthIt ? 0x40 : 0);
    if (known === undefined) this.#string(name);
    this.#string(value);
    if (isWorthIt) this.#remember(name, value);
    else if (said) said.value = value;
  }

  #remember(name: string, value: string): void {
    const size = name.length + value.length + entryOverhead;
    this.#evict(size);
    this.#sizes.push(size);
    this.#bytes += size;
    this.#made += 1;
    if (this.#said.size >= mostNames && !this.#said.has(name)) this.#said.clear();
    this.#said.set(name, { value, entry: this.#made, entryValue: value });
  }

  #evict(needed: number): void {
    while (this.#bytes + needed > this.#limit && this.#sizes.length > 0) {
      this.#bytes -= this.#sizes.shift()!;
      this.#gone += 1;
    }
  }

  #indexOf(entry: number): number {
    return staticTable.length + 1 + this.#made - entry;
  }

  #string(text: string): void {
    this.#integer(text.length, 7, 0);
    this.#reserve(text.length);
    this.#room.write(text, this.#at, "latin1");
    this.#at += text.length;
  }

  #integer(value: number, prefixBits: number, flags: number): void {
    this.#reserve(6);
    const most = (1 << prefixBits) - 1;
    if (value < most) {
      this.#room[this.#at++] = flags | value;
      return;
    }
    this.#room[this.#at++] = flags | most;
    let rest = value - most;
    for (; rest >= 0x80; rest >>>= 7) this.#room[this.#at++] = (rest & 0x7f) | 0x80;
    this.#room[this.#at++] = rest;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#room.length) return;
    const larger = Buffer.allocUnsafe((this.#at + bytes) * 2);
    this.#room.copy(larger, 0, 0, this.#at);
    this.#room = larger;
  }
}

const statusName = indexOfName.get(":status")!;
const statusIndex = new Map(
  staticTable.flatMap(([name, value], index) => (name === ":status" ? [[Number(value), index + 1] as const] : [])),
);
