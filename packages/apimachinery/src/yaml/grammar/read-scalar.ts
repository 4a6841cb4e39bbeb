import * as char from "./characters.js";
import {
  blockText,
  type Chomping,
  doubleQuotedText,
  hexLength,
  isSimpleEscape,
  plainText,
  singleQuotedText,
} from "./scalar-text.js";
import type { TextReader } from "./text-reader.js";

export interface ReadScalar {
  readonly value: string;
  readonly isPlain: boolean;
  /** Where it begins, from 0. */
  readonly line: number;
}

/** Each reads what begins here, or returns undefined and stays: the first character decides. */
export function readSingleQuoted(reader: TextReader): ReadScalar | undefined {
  if (reader.peek() !== char.singleQuote) return undefined;
  const { line } = reader;
  reader.position++;
  const start = reader.position;
  let isSimple = true;
  for (let code = reader.peek(); code !== char.endOfText; code = reader.peek()) {
    if (code === char.singleQuote && reader.peek(1) === char.singleQuote) {
      isSimple = false;
      reader.position += 2;
    } else if (code === char.singleQuote) {
      const raw = reader.text.slice(start, reader.position);
      reader.position++;
      return { value: isSimple ? raw : singleQuotedText(raw), isPlain: false, line };
    } else if (passQuoted(reader, code, "single")) isSimple = false;
  }
  return reader.fail("unexpected end of the stream within a single quoted scalar");
}

export function readDoubleQuoted(reader: TextReader): ReadScalar | undefined {
  if (reader.peek() !== char.doubleQuote) return undefined;
  const { line } = reader;
  reader.position++;
  const start = reader.position;
  let isSimple = true;
  for (let code = reader.peek(); code !== char.endOfText; code = reader.peek()) {
    if (code === char.doubleQuote) {
      const raw = reader.text.slice(start, reader.position);
      reader.position++;
      return { value: isSimple ? raw : doubleQuotedText(raw), isPlain: false, line };
    }
    if (code === char.backslash) {
      isSimple = false;
      passEscape(reader);
    } else if (passQuoted(reader, code, "double")) isSimple = false;
  }
  return reader.fail("unexpected end of the stream within a double quoted scalar");
}

/** One ordinary character between quotes, or a line break with what is around it. @returns whether it was a line break */
function passQuoted(reader: TextReader, code: number, quotes: "single" | "double"): boolean {
  if (char.isLineBreak(code)) {
    reader.skipSpace(false); // go-yaml does not look at the indentation of the next line
    return true;
  }
  if (reader.position === reader.lineStart && reader.isAtMarker())
    reader.fail(`unexpected end of the document within a ${quotes} quoted scalar`);
  if (code !== char.tab && code < char.space) reader.fail("expected valid JSON character");
  reader.position++;
  return false;
}

function passEscape(reader: TextReader): void {
  reader.position++;
  if (char.isLineBreak(reader.peek())) {
    reader.skipSpace(false);
    return;
  }
  const letter = reader.text.charAt(reader.position);
  reader.position++;
  if (letter !== "" && isSimpleEscape(letter)) return;
  const length = hexLength(letter);
  if (length === 0) reader.fail("unknown escape sequence", reader.position - 1);
  const digits = reader.text.slice(reader.position, reader.position + length);
  const wrong = digits.search(/[^0-9a-fA-F]/);
  if (wrong >= 0 || digits.length < length)
    reader.fail("expected hexadecimal character", reader.position + (wrong >= 0 ? wrong : digits.length));
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) reader.fail("found invalid Unicode character escape code");
  reader.position += length;
}

const cannotStartPlain: ReadonlySet<number> = new Set(
  [..."#&*!|>'\"%@`,[]{} \t\n\r\0"].map((letter) => letter.charCodeAt(0)),
);

/** @param indent lines further left do not belong to it, but within brackets, where go-yaml does not look at indentation */
export function readPlain(reader: TextReader, indent: number, isInFlow: boolean): ReadScalar | undefined {
  const first = reader.peek();
  if (cannotStartPlain.has(first)) return undefined;
  const following = reader.peek(1);
  if (
    (first === char.questionMark || first === char.dash) &&
    (char.isBlankBreakOrEnd(following) || (isInFlow && char.isFlowIndicator(following)))
  )
    return undefined;
  const start = reader.position;
  const { line } = reader;
  const { end, isMultiline } = passPlain(reader, indent, isInFlow);
  if (end === start) return undefined;
  reader.checkPrintable(start, end);
  const raw = reader.text.slice(start, end);
  return { value: isMultiline ? plainText(raw) : raw, isPlain: true, line };
}

function passPlain(reader: TextReader, indent: number, isInFlow: boolean): { end: number; isMultiline: boolean } {
  let end = reader.position;
  let isMultiline = false;
  for (let code = reader.peek(); code !== char.endOfText && !reader.isAtBoundary(); code = reader.peek()) {
    if (code === char.colon) {
      const following = reader.peek(1);
      if (char.isBlankBreakOrEnd(following) || (isInFlow && char.isFlowIndicator(following))) break;
    } else if (code === char.hash) {
      if (char.isBlankOrBreak(reader.peek(-1))) break;
    } else if (isInFlow && char.isFlowIndicator(code)) {
      break;
    } else if (char.isLineBreak(code)) {
      const place = reader.place();
      reader.skipSpace(false);
      if (!isInFlow && reader.lineIndent < indent) {
        reader.returnTo(place);
        break;
      }
      isMultiline = true;
      continue;
    }
    reader.position++;
    if (!char.isBlank(code)) end = reader.position;
  }
  return { end, isMultiline };
}

/** A literal (`|`) or folded (`>`) block. */
export function readBlock(reader: TextReader, parentIndent: number): ReadScalar | undefined {
  const indicator = reader.peek();
  if (indicator !== char.verticalBar && indicator !== char.greaterThan) return undefined;
  const { line } = reader;
  reader.position++;
  const { chomping, indent } = readBlockHeader(reader, parentIndent);
  const start = reader.position;
  const { end, contentIndent } = passBlock(reader, parentIndent, indent);
  reader.checkPrintable(start, end);
  const { text } = reader;
  const value = blockText(text.slice(start, end), contentIndent, chomping, indicator === char.greaterThan);
  // A block that ends with the text, in the middle of a line, has no line break at its end.
  const isCut = end >= text.length && !text.endsWith("\n") && value.endsWith("\n");
  return { value: isCut ? value.slice(0, -1) : value, isPlain: false, line };
}

function readBlockHeader(reader: TextReader, parentIndent: number): { chomping: Chomping; indent: number | undefined } {
  let chomping: Chomping = "clip";
  let indent: number | undefined;
  for (;;) {
    const letter = reader.text.charAt(reader.position);
    if (letter === "+" || letter === "-") {
      if (chomping !== "clip") reader.fail("repeat of a chomping mode identifier");
      chomping = letter === "+" ? "keep" : "strip";
    } else if (letter >= "0" && letter <= "9") {
      if (letter === "0") reader.fail("bad explicit indentation width of a block scalar; it cannot be less than one");
      if (indent !== undefined) reader.fail("repeat of an indentation width identifier");
      indent = parentIndent + Number(letter) - 1;
    } else break;
    reader.position++;
  }
  const before = reader.position;
  reader.skipBlanks();
  if (reader.position > before && reader.peek() === char.hash) reader.skipLine();
  if (char.isLineBreak(reader.peek())) reader.takeLineBreak();
  else if (!reader.isAtEnd) reader.fail("a line break is expected");
  return { chomping, indent };
}

/** Past the lines of a block. @param explicit indentation that its header names */
function passBlock(
  reader: TextReader,
  parentIndent: number,
  explicit: number | undefined,
): { end: number; contentIndent: number } {
  let contentIndent = explicit ?? -1;
  let leadingIndent = 0;
  let end = reader.position;
  while (!reader.isAtEnd) {
    const lineStart = reader.position;
    let column = 0;
    while (reader.peek(column) === char.space) column++;
    const first = reader.peek(column);
    if (first === char.endOfText) {
      if (column > Math.max(contentIndent, 0)) end = lineStart + column;
      break;
    }
    if (reader.isAtBoundary()) break;
    const isEmpty = char.isLineBreak(first);
    if (contentIndent === -1 && isEmpty) leadingIndent = Math.max(leadingIndent, column);
    if (contentIndent === -1 && !isEmpty) {
      if (first === char.tab && column < parentIndent)
        reader.fail("tab characters must not be used in indentation", lineStart + column);
      if (column >= parentIndent && column < leadingIndent)
        reader.fail("bad indentation of a mapping entry", lineStart + column);
      if (column >= parentIndent) contentIndent = column;
    }
    if (!isEmpty && (contentIndent === -1 || column < contentIndent)) {
      reader.lineIndent = column;
      reader.position = lineStart + column;
      break;
    }
    reader.skipLine();
    end = reader.position;
    if (!char.isLineBreak(reader.peek())) continue;
    reader.takeLineBreak();
    end = reader.position;
  }
  return { end, contentIndent };
}
