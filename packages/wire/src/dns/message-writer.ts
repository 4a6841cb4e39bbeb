import { DnsError } from "./dns-error.js";
import { maxLabelOctets, maxNameOctets, splitLabels } from "./name.js";

/** Offsets that a pointer can express (14 bits). */
const maxPointer = 0x3fff;

/** Writes a message from the left, into bytes that are reused: `finish` copies. A write beyond `capacity` throws `RangeError`. */
export class MessageWriter {
  readonly bytes: Buffer;
  offset = 0;
  /** The first name, which most records have, too: a message with no other one needs no table. */
  private first: { readonly name: string; readonly offset: number } | undefined;
  /** Where names, and what is left of them from each label on, were written; undefined while there is only the first. */
  private written: Map<string, number> | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  uint8(value: number): void {
    this.bytes[this.offset++] = value;
  }

  uint16(value: number): void {
    this.bytes[this.offset++] = value >> 8;
    this.bytes[this.offset++] = value;
  }

  uint32(value: number): void {
    this.uint16(value >>> 16);
    this.uint16(value & 0xffff);
  }

  octets(data: Uint8Array): void {
    this.bytes.set(data, this.offset);
    this.offset += data.length;
  }

  /**
   * A name, ended by a pointer if its end was written before, in the same case. `compress: false`: in full, but later names may point to it
   * (data of SRV records: RFC 2782).
   */
  name(name: string, { compress = true }: { compress?: boolean } = {}): void {
    if (this.first === undefined) this.first = { name, offset: this.offset };
    else if (compress && this.first.name === name && name !== "") return this.uint16(0xc000 | this.first.offset);
    else this.written ??= this.endsOf(this.first);
    this.labels(name, compress);
  }

  private endsOf({ name, offset }: { name: string; offset: number }): Map<string, number> {
    const ends = new Map<string, number>();
    let octets = offset;
    let rest = name;
    for (const label of splitLabels(name)) {
      ends.set(rest, octets);
      octets += this.bytes[octets]! + 1;
      rest = rest.slice(label.length + 1);
    }
    return ends;
  }

  private labels(name: string, compress: boolean): void {
    const { written } = this;
    const begin = this.offset;
    let at = 0;
    while (at < name.length) {
      if (written) {
        const rest = name.slice(at);
        const before = written.get(rest);
        if (before !== undefined && compress) return this.uint16(0xc000 | before);
        if (before === undefined && this.offset <= maxPointer) written.set(rest, this.offset);
      }
      at = this.label(name, at);
      if (this.offset - begin >= maxNameOctets)
        throw new DnsError(`the name ${name} is longer than ${maxNameOctets} octets`);
    }
    this.uint8(0);
  }

  /** The label at `at`; returns where the next one begins. */
  private label(name: string, at: number): number {
    const lengthAt = this.offset++;
    let index = at;
    for (; index < name.length; index++) {
      let code = name.charCodeAt(index);
      if (code === 0x2e) break;
      if (code === 0x5c) {
        const digits = /^\d{3}/.exec(name.slice(index + 1, index + 4))?.[0];
        code = digits === undefined ? name.charCodeAt(index + 1) : Number(digits);
        index += digits === undefined ? 1 : 3;
      }
      if (!(code <= 0xff)) throw new DnsError(`the name ${name} has a character that is no octet`);
      this.bytes[this.offset++] = code;
    }
    const length = this.offset - lengthAt - 1;
    if (length === 0 || length > maxLabelOctets) throw new DnsError(`the name ${name} has a label of ${length} octets`);
    this.bytes[lengthAt] = length;
    // The loop ended at a dot that separates labels, or at the end.
    if (index === name.length - 1) throw new DnsError(`the name ${name} ends with an empty label`);
    return Math.min(index + 1, name.length);
  }
}
