import * as char from "./characters.js";
import { YamlSyntaxError } from "./syntax-error.js";

/** A place in the text that may be returned to. */
export interface Place {
  readonly position: number;
  readonly line: number;
  readonly lineStart: number;
  readonly lineIndent: number;
  readonly firstTab: number;
}

const nonPrintable =
  /[\0-\x08\v\f\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?:[^\ud800-\udbff]|^)[\udc00-\udfff]/;

/** The text, how far it has been read, and what the grammar asks about the line there. */
export class TextReader {
  readonly text: string;
  position = 0;
  /** Counted from 0. */
  line = 0;
  lineStart = 0;
  /** Blanks at the beginning of the line. */
  lineIndent = 0;
  /** Place of the first tab between tokens of the line; -1: there is none. */
  firstTab = -1;

  constructor(text: string) {
    this.text = text;
    const zero = text.indexOf("\0");
    if (zero >= 0) throw new YamlSyntaxError("null byte is not allowed in input", text, zero);
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  get column(): number {
    return this.position - this.lineStart;
  }

  /** The code so far ahead; `endOfText` behind the last one. */
  peek(ahead = 0): number {
    const at = this.position + ahead;
    return at < this.text.length ? this.text.charCodeAt(at) : char.endOfText;
  }

  fail(reason: string, position = this.position): never {
    throw new YamlSyntaxError(reason, this.text, position);
  }

  place(): Place {
    const { position, line, lineStart, lineIndent, firstTab } = this;
    return { position, line, lineStart, lineIndent, firstTab };
  }

  returnTo({ position, line, lineStart, lineIndent, firstTab }: Place): void {
    this.position = position;
    this.line = line;
    this.lineStart = lineStart;
    this.lineIndent = lineIndent;
    this.firstTab = firstTab;
  }

  takeLineBreak(): void {
    const code = this.peek();
    this.position++;
    if (code !== char.lineFeed && this.peek() === char.lineFeed) this.position++;
    this.line++;
    this.lineStart = this.position;
    this.lineIndent = 0;
    this.firstTab = -1;
  }

  skipLine(): void {
    for (let code = this.peek(); code !== char.endOfText && !char.isLineBreak(code); code = this.peek())
      this.position++;
  }

  skipBlanks(): void {
    while (char.isBlank(this.peek())) this.position++;
  }

  /** A word of a tag, an anchor or a directive. */
  skipUntil(isEnd: (code: number) => boolean): void {
    for (let code = this.peek(); code !== char.endOfText && !isEnd(code); code = this.peek()) this.position++;
  }

  /** Past blanks, line breaks and comments. @returns whether there was a line break */
  skipSpace(allowComments = true): boolean {
    const { line } = this;
    let isSeparated = this.position === this.lineStart || char.isBlankOrBreak(this.peek(-1));
    for (;;) {
      let code = this.peek();
      while (char.isBlank(code)) {
        isSeparated = true;
        if (code === char.tab && this.firstTab === -1) this.firstTab = this.position;
        this.position++;
        code = this.peek();
      }
      if (allowComments && isSeparated && code === char.hash) {
        this.skipLine();
        code = this.peek();
      }
      if (!char.isLineBreak(code)) return this.line > line;
      this.takeLineBreak();
      isSeparated = true;
      while (this.peek() === char.space) {
        this.lineIndent++;
        this.position++;
      }
    }
  }

  /** `---` or `...` with nothing but blanks at its end. */
  isAtMarker(): boolean {
    const code = this.peek();
    return (
      (code === char.dash || code === char.dot) &&
      this.peek(1) === code &&
      this.peek(2) === code &&
      char.isBlankBreakOrEnd(this.peek(3))
    );
  }

  skipByteOrderMark(): void {
    if (this.position !== this.lineStart || this.peek() !== char.byteOrderMark) return;
    this.position++;
    this.lineStart = this.position;
  }

  /** Whether a document ends here: at a marker, or where a byte order mark begins another. */
  isAtBoundary(): boolean {
    if (this.position !== this.lineStart) return false;
    if (this.isAtMarker()) return true;
    if (this.peek() !== char.byteOrderMark) return false;
    const place = this.place();
    this.skipByteOrderMark();
    this.skipSpace();
    const code = this.peek();
    const isBoundary =
      this.position === this.lineStart && (code === char.percent || (code === char.dash && this.isAtMarker()));
    this.returnTo(place);
    return isBoundary;
  }

  checkPrintable(start: number, end: number): void {
    const match = nonPrintable.exec(this.text.slice(start, end));
    if (match) this.fail("the stream contains non-printable characters", start + match.index + match[0].length - 1);
  }
}
