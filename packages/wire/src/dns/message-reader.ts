import { DnsError } from "./dns-error.js";
import { maxNameOctets } from "./name.js";

/** The longest name in presentation form: every octet as `\DDD`. */
const presentation = Buffer.allocUnsafe(4 * maxNameOctets);
const dot = 0x2e;
const backslash = 0x5c;

/** Reads a message from the left. Every read is checked against the end, and throws `DnsError`. */
export class MessageReader {
  readonly bytes: Uint8Array;
  /** Where the next read begins. */
  offset: number;
  /** Reads end here: the end of the message, or of a record's data. */
  end: number;

  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.offset = offset;
    this.end = bytes.length;
  }

  /** The offset before `length` octets, which are there. */
  take(length: number): number {
    const at = this.offset;
    if (at + length > this.end) throw new DnsError(`the message ends within its ${at + length}th octet`);
    this.offset = at + length;
    return at;
  }

  uint8(): number {
    return this.bytes[this.take(1)]!;
  }

  uint16(): number {
    const at = this.take(2);
    return (this.bytes[at]! << 8) | this.bytes[at + 1]!;
  }

  uint32(): number {
    return this.uint16() * 0x1_0000 + this.uint16();
  }

  /** A copy. */
  octets(length: number): Uint8Array {
    const at = this.take(length);
    return new Uint8Array(this.bytes.subarray(at, at + length));
  }

  /**
   * A name, through its pointers. Each pointer leads to before the labels that it ends (RFC 1035, section 4.1.4: a "prior occurrence"),
   * so that no message makes this loop, and the name has at most 255 octets.
   */
  name(): string {
    const { bytes } = this;
    let at = this.offset;
    let end = this.end;
    let limit = at;
    let after = -1;
    let length = 0;
    let octets = 1;
    for (;;) {
      if (at >= end) throw new DnsError("a name runs beyond the end of the message");
      const head = bytes[at]!;
      if (head === 0) break;
      if (head >= 0xc0) {
        if (at + 1 >= end) throw new DnsError("a name runs beyond the end of the message");
        const target = ((head & 0x3f) << 8) | bytes[at + 1]!;
        if (target >= limit) throw new DnsError("a name points to itself or forwards");
        if (after < 0) after = at + 2;
        at = target;
        limit = target;
        end = bytes.length;
        continue;
      }
      if (head > 0x3f) throw new DnsError(`a label begins with ${head}, which is reserved`);
      octets += head + 1;
      if (octets > maxNameOctets) throw new DnsError(`a name has more than ${maxNameOctets} octets`);
      if (at + 1 + head > end) throw new DnsError("a name runs beyond the end of the message");
      if (length > 0) presentation[length++] = dot;
      length = copyLabel(bytes, at + 1, head, length);
      at += head + 1;
    }
    this.offset = after < 0 ? at + 1 : after;
    return presentation.toString("latin1", 0, length);
  }

  /** The name elsewhere; the reader stays where it is. */
  nameAt(offset: number): string {
    const here = this.offset;
    this.offset = offset;
    const name = this.name();
    this.offset = here;
    return name;
  }

  /** The same as `name` without its text. */
  skipName(): void {
    for (;;) {
      const head = this.uint8();
      if (head === 0) return;
      if (head >= 0xc0) {
        this.take(1);
        return;
      }
      if (head > 0x3f) throw new DnsError(`a label begins with ${head}, which is reserved`);
      this.take(head);
    }
  }
}

/** Writes a label in presentation form; returns where the text ends. */
function copyLabel(bytes: Uint8Array, from: number, count: number, at: number): number {
  let to = at;
  for (let index = from; index < from + count; index++) {
    const octet = bytes[index]!;
    if (octet === dot || octet === backslash) {
      presentation[to++] = backslash;
      presentation[to++] = octet;
    } else if (octet > 0x20 && octet < 0x7f) presentation[to++] = octet;
    else to += presentation.write(`\\${String(octet).padStart(3, "0")}`, to, "latin1");
  }
  return to;
}
