import { runAtOnce, type Steps } from "@coxswain/runtime/steps";
import { quoteGoByte } from "../text/go-quote.js";
import { decodeUtf8Lossy } from "../text/utf8-bytes.js";
import { DecodeError } from "./decode-error.js";
import { maxDepth } from "./depth.js";

/** A JSON text as it was written: duplicate members and the letters of numbers are still there. */
export type SyntaxTree =
  | { readonly kind: "object"; readonly members: readonly SyntaxMember[] }
  | { readonly kind: "array"; readonly items: readonly SyntaxTree[] }
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "null" };

export interface SyntaxMember {
  readonly name: string;
  readonly value: SyntaxTree;
}

/** Parses slowly and exactly. Throws a DecodeError in the words of Go's scanner. */
export const parseSyntaxTree = (bytes: Uint8Array): SyntaxTree => runAtOnce(parseSyntaxTreeInSteps(bytes));

/** Text between two places where others may run, and about how long it takes. */
const bytesPerStep = 4096;
const microsPerStep = 250;

/** The same, for text of others that may be long. */
export function* parseSyntaxTreeInSteps(bytes: Uint8Array): Steps<SyntaxTree> {
  const cursor = new Cursor(bytes);
  const tree = yield* cursor.value(0);
  cursor.skipSpace();
  if (cursor.at < bytes.length) throw cursor.fail("after top-level value");
  return tree;
}

const escapes = new Map([
  [0x22, '"'],
  [0x5c, "\\"],
  [0x2f, "/"],
  [0x62, "\b"],
  [0x66, "\f"],
  [0x6e, "\n"],
  [0x72, "\r"],
  [0x74, "\t"],
]);

class Cursor {
  readonly bytes: Uint8Array;
  at = 0;
  #stepEnd = bytesPerStep;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** At the end of the bytes Go's scanner tries a blank: where one may stand, the end was unexpected, and inside a token (`token`) the blank is wrong. */
  fail(context: string, token = false): DecodeError {
    const byte = this.bytes[this.at] ?? (token ? 0x20 : undefined);
    return new DecodeError(
      byte === undefined ? "unexpected end of JSON input" : `invalid character ${quoteGoByte(byte)} ${context}`,
    );
  }

  skipSpace(): void {
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.at++;
    }
  }

  *value(depth: number): Steps<SyntaxTree> {
    const scalar = this.scalar();
    if (scalar) return scalar;
    return yield* this.bytes[this.at] === 0x7b ? this.object(depth + 1) : this.array(depth + 1);
  }

  /** Undefined: an object or array begins here. No generator, as most values are scalars. */
  scalar(): SyntaxTree | undefined {
    this.skipSpace();
    const byte = this.bytes[this.at];
    switch (byte) {
      case 0x7b:
      case 0x5b:
        return undefined;
      case 0x22:
        return { kind: "string", text: this.string() };
      case 0x74:
        this.literal("true");
        return { kind: "bool", value: true };
      case 0x66:
        this.literal("false");
        return { kind: "bool", value: false };
      case 0x6e:
        this.literal("null");
        return { kind: "null" };
      default:
        if (byte === 0x2d || (byte !== undefined && isDigit(byte))) return { kind: "number", text: this.number() };
        throw this.fail("looking for beginning of value");
    }
  }

  *object(depth: number): Steps<SyntaxTree> {
    if (depth > maxDepth) throw this.fail("exceeded max depth");
    this.at++;
    const members: SyntaxMember[] = [];
    this.skipSpace();
    if (this.bytes[this.at] === 0x7d) {
      this.at++;
      return { kind: "object", members };
    }
    for (;;) {
      this.skipSpace();
      if (this.bytes[this.at] !== 0x22) throw this.fail("looking for beginning of object key string");
      const name = this.string();
      this.skipSpace();
      if (this.bytes[this.at] !== 0x3a) throw this.fail("after object key");
      this.at++;
      members.push({ name, value: this.scalar() ?? (yield* this.value(depth)) });
      if (this.at >= this.#stepEnd) yield this.endStep();
      if (this.ends(0x7d, "after object key:value pair")) return { kind: "object", members };
    }
  }

  *array(depth: number): Steps<SyntaxTree> {
    if (depth > maxDepth) throw this.fail("exceeded max depth");
    this.at++;
    const items: SyntaxTree[] = [];
    this.skipSpace();
    if (this.bytes[this.at] === 0x5d) {
      this.at++;
      return { kind: "array", items };
    }
    for (;;) {
      items.push(this.scalar() ?? (yield* this.value(depth)));
      if (this.at >= this.#stepEnd) yield this.endStep();
      if (this.ends(0x5d, "after array element")) return { kind: "array", items };
    }
  }

  endStep(): number {
    this.#stepEnd = this.at + bytesPerStep;
    return microsPerStep;
  }

  /** Past a comma (false) or the closing bracket (true). */
  ends(bracket: number, context: string): boolean {
    this.skipSpace();
    const byte = this.bytes[this.at];
    if (byte !== bracket && byte !== 0x2c) throw this.fail(context);
    this.at++;
    return byte === bracket;
  }

  literal(word: string): void {
    for (let at = 0; at < word.length; at++) {
      if (this.bytes[this.at] !== word.charCodeAt(at))
        throw this.fail(`in literal ${word} (expecting '${word[at]}')`, true);
      this.at++;
    }
  }

  number(): string {
    const start = this.at;
    if (this.bytes[this.at] === 0x2d) this.at++;
    if (this.bytes[this.at] === 0x30) this.at++;
    else this.digits("in numeric literal");
    if (this.bytes[this.at] === 0x2e) {
      this.at++;
      this.digits("after decimal point in numeric literal");
    }
    if (this.bytes[this.at] === 0x65 || this.bytes[this.at] === 0x45) {
      this.at++;
      if (this.bytes[this.at] === 0x2b || this.bytes[this.at] === 0x2d) this.at++;
      this.digits("in exponent of numeric literal");
    }
    return this.ascii(start, this.at);
  }

  /** For short texts, of which there may be hundreds of thousands: a decoder takes longer. */
  ascii(start: number, end: number): string {
    let text = "";
    for (let at = start; at < end; at++) text += String.fromCharCode(this.bytes[at] as number);
    return text;
  }

  digits(context: string): void {
    if (!isDigit(this.bytes[this.at] ?? 0)) throw this.fail(context, true);
    while (isDigit(this.bytes[this.at] ?? 0)) this.at++;
  }

  string(): string {
    const { bytes } = this;
    let text = "";
    let from = ++this.at;
    for (;;) {
      const byte = bytes[this.at];
      if (byte === 0x22) {
        text += decodeUtf8Lossy(bytes.subarray(from, this.at++));
        return text;
      }
      if (byte === 0x5c) {
        text += decodeUtf8Lossy(bytes.subarray(from, this.at));
        text += this.escape();
        from = this.at;
      } else if (byte === undefined || byte < 0x20) {
        throw this.fail("in string literal");
      } else {
        this.at++;
      }
    }
  }

  escape(): string {
    const letter = this.bytes[++this.at];
    if (letter !== 0x75) {
      const char = escapes.get(letter ?? 0);
      if (char === undefined) throw this.fail("in string escape code", true);
      this.at++;
      return char;
    }
    const unit = this.unit();
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    if (unit < 0xdc00 && this.bytes[this.at] === 0x5c && this.bytes[this.at + 1] === 0x75) {
      const before = this.at++;
      const low = this.unit();
      if (low >= 0xdc00 && low <= 0xdfff) return String.fromCharCode(unit, low);
      this.at = before; // not its other half: read again by itself
    }
    return "\ufffd";
  }

  /** The four digits after `u`, which is at the cursor. */
  unit(): number {
    let value = 0;
    for (let count = 0; count < 4; count++) {
      const digit = Number.parseInt(String.fromCharCode(this.bytes[++this.at] ?? 0), 16);
      if (Number.isNaN(digit)) throw this.fail("in \\u hexadecimal character escape", true);
      value = value * 16 + digit;
    }
    this.at++;
    return value;
  }
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
