import type { Steps } from "@coxswain/runtime/steps";
import { DecodeError } from "../../json/index.js";
import * as char from "./characters.js";
import { NodeParser } from "./node-parser.js";
import { readDirectives } from "./properties.js";
import { YamlSyntaxError } from "./syntax-error.js";
import { TextReader } from "./text-reader.js";
import type { YamlNode } from "./yaml-node.js";

/** The first document of the text, or undefined if there is none. Throws DecodeError. */
export function* parseDocument(text: string): Steps<YamlNode | undefined> {
  try {
    return yield* firstDocument(new TextReader(text));
  } catch (err) {
    throw err instanceof YamlSyntaxError ? inGoWords(err) : err;
  }
}

function* firstDocument(reader: TextReader): Steps<YamlNode | undefined> {
  for (;;) {
    reader.skipByteOrderMark();
    reader.skipSpace();
    if (reader.isAtEnd) return undefined;
    const handles = readDirectives(reader);
    const { line } = reader;
    const hasMarker = reader.lineIndent === 0 && reader.peek() === char.dash && reader.isAtMarker();
    if (hasMarker) {
      reader.position += 3;
      reader.skipSpace();
    } else if (handles) reader.fail("directives end mark is expected");
    else if (reader.position === reader.lineStart && reader.isAtMarker()) {
      reader.position += 3; // the end of a document that has not begun
      reader.skipSpace();
      continue;
    }
    const node = yield* new NodeParser(reader, handles ?? new Set()).document(!hasMarker || reader.line > line);
    passEnd(reader);
    return node;
  }
}

/** Only the end of the text or of the document may follow. */
function passEnd(reader: TextReader): void {
  const wrong = "end of the stream or a document separator is expected";
  reader.skipSpace();
  if (reader.position === reader.lineStart && reader.isAtMarker() && reader.peek() === char.dot) {
    const { line } = reader;
    reader.position += 3;
    reader.skipSpace();
    if (reader.line === line && !reader.isAtEnd) reader.fail(wrong);
  } else if (!reader.isAtEnd && !reader.isAtBoundary()) reader.fail(wrong);
}

/** go-yaml names the line, but for the first one. */
function inGoWords(err: YamlSyntaxError): DecodeError {
  const where = err.line > 0 ? `line ${err.line + 1}: ` : "";
  return new DecodeError(`yaml: ${where}${goWords.get(err.message) ?? err.message}`, { cause: err });
}

/** go-yaml's messages where ours have more detail. */
const goWords = new Map([
  ["bad indentation of a mapping entry", "mapping values are not allowed in this context"],
  ["bad indentation of a sequence entry", "did not find expected '-' indicator"],
  ["tab characters must not be used in indentation", "found character that cannot start any token"],
  ["missed comma between flow collection entries", "did not find expected ',' or ']'"],
  ["unexpected end of the stream within a flow collection", "did not find expected node content"],
  ["unexpected end of the stream within a double quoted scalar", "found unexpected end of stream"],
  ["unexpected end of the stream within a single quoted scalar", "found unexpected end of stream"],
  ["unknown escape sequence", "found unknown escape character"],
  ["expected hexadecimal character", "did not find expected hexdecimal number"],
  ["can not read a block mapping entry; a multiline key may not be an implicit key", "could not find expected ':'"],
  ["expected ':' after a mapping key", "could not find expected ':'"],
  ["the stream contains non-printable characters", "control characters are not allowed"],
  ["null byte is not allowed in input", "control characters are not allowed"],
  ["end of the stream or a document separator is expected", "did not find expected <document start>"],
]);
