import { indexOfName } from "./hpack-encoder.js";
import { staticTable } from "./hpack-tables.js";

const entryOverhead = 32;
/** The default of SETTINGS_HEADER_TABLE_SIZE; larger tables of peers are not used. */
const maxTableBytes = 4096;
/** Names may come from proxied responses. */
const maxNames = 64;

/** The latest field with a name. */
interface LatestField {
  value: string;
  /** Number of the dynamic-table entry with the name, counted from the first ever inserted; 0: none. */
  entry: number;
  /** Value of that entry. */
  entryValue: string;
}

/**
 * HPACK encoder of response headers (RFC 7541). The responses on a connection are much alike: a field that occurs twice in a row
 * is inserted into the dynamic table, and is one byte from then on.
 */
export class HeaderCompressor {
  readonly #last = new Map<string, LatestField>();
  /** Sizes of the entries in the dynamic table, oldest first. */
  #sizes: number[] = [];
  #inserted = 0;
  #evicted = 0;
  #bytes = 0;
  #limit = maxTableBytes;
  #announced = maxTableBytes;
  #buffer = Buffer.allocUnsafe(1024);
  #at = 0;

  /** The peer's SETTINGS_HEADER_TABLE_SIZE. */
  limitTable(bytes: number): void {
    this.#limit = Math.min(bytes, maxTableBytes);
  }

  /** Trailers have no status. @returns valid until the next call */
  encode(status: number | undefined, headers: Readonly<Record<string, string | readonly string[]>>): Buffer {
    this.#at = 0;
    if (this.#announced !== this.#limit) this.#announceLimit();
    if (status !== undefined) this.#status(status);
    for (const name in headers) {
      const value = headers[name]!;
      if (typeof value === "string") this.#header(name, value);
      else for (const one of value) this.#header(name, one);
    }
    return this.#buffer.subarray(0, this.#at);
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
    const latest = this.#last.get(name);
    const isIndexed = latest !== undefined && latest.entry > this.#evicted;
    if (isIndexed && latest.entryValue === value) return this.#integer(this.#indexOf(latest.entry), 7, 0x80);
    const known = isIndexed ? this.#indexOf(latest.entry) : indexOfName.get(name);
    const insert =
      (latest === undefined || latest.value === value) && name.length + value.length + entryOverhead <= this.#limit / 4;
    this.#integer(known ?? 0, insert ? 6 : 4, insert ? 0x40 : 0);
    if (known === undefined) this.#string(name);
    this.#string(value);
    if (insert) this.#insert(name, value);
    else if (latest) latest.value = value;
  }

  #insert(name: string, value: string): void {
    const size = name.length + value.length + entryOverhead;
    this.#evict(size);
    this.#sizes.push(size);
    this.#bytes += size;
    this.#inserted += 1;
    if (this.#last.size >= maxNames && !this.#last.has(name)) this.#last.clear();
    this.#last.set(name, { value, entry: this.#inserted, entryValue: value });
  }

  #evict(needed: number): void {
    while (this.#bytes + needed > this.#limit && this.#sizes.length > 0) {
      this.#bytes -= this.#sizes.shift()!;
      this.#evicted += 1;
    }
  }

  #indexOf(entry: number): number {
    return staticTable.length + 1 + this.#inserted - entry;
  }

  #string(text: string): void {
    this.#integer(text.length, 7, 0);
    this.#reserve(text.length);
    this.#buffer.write(text, this.#at, "latin1");
    this.#at += text.length;
  }

  #integer(value: number, prefixBits: number, flags: number): void {
    this.#reserve(6);
    const max = (1 << prefixBits) - 1;
    if (value < max) {
      this.#buffer[this.#at++] = flags | value;
      return;
    }
    this.#buffer[this.#at++] = flags | max;
    let rest = value - max;
    for (; rest >= 0x80; rest >>>= 7) this.#buffer[this.#at++] = (rest & 0x7f) | 0x80;
    this.#buffer[this.#at++] = rest;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe((this.#at + bytes) * 2);
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}

const statusName = indexOfName.get(":status")!;
const statusIndex = new Map(
  staticTable.flatMap(([name, value], index) => (name === ":status" ? [[Number(value), index + 1] as const] : [])),
);
