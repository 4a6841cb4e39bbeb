import * as char from "./characters.js";
import type { TextReader } from "./text-reader.js";

/** What may stand before a node: `!tag` and `&anchor`; "" where it does not. */
export interface Properties {
  /** As written. */
  tag: string;
  anchor: string;
}

export const noProperties = (): Properties => ({ tag: "", anchor: "" });
export const hasProperties = ({ tag, anchor }: Properties): boolean => tag !== "" || anchor !== "";

const tagHandle = /^(?:!|!!|![0-9A-Za-z-]+!)$/;
const tagUri = /^(?:%[0-9A-Fa-f]{2}|[0-9A-Za-z\-#;/?:@&=+$,_.!~*'()[\]])*$/;
const tagSuffix = /^(?:%[0-9A-Fa-f]{2}|[0-9A-Za-z\-#;/?:@&=+$.~*'()_])+$/;

/** One property, if there is one here. @param handles that the document's directives declare */
export const readProperty = (
  reader: TextReader,
  properties: Properties,
  { isInFlow, handles }: { isInFlow: boolean; handles: ReadonlySet<string> },
): boolean => readTag(reader, properties, isInFlow, handles) || readAnchor(reader, properties);

function readTag(reader: TextReader, properties: Properties, isInFlow: boolean, handles: ReadonlySet<string>): boolean {
  if (reader.peek() !== char.exclamationMark) return false;
  if (properties.tag !== "") reader.fail("duplication of a tag property");
  const start = reader.position;
  reader.position++;
  if (reader.text.charAt(reader.position) === "<") readVerbatimTag(reader);
  else readShortTag(reader, start, isInFlow, handles);
  properties.tag = reader.text.slice(start, reader.position);
  return true;
}

/** `!<tag:yaml.org,2002:str>` */
function readVerbatimTag(reader: TextReader): void {
  reader.position++;
  const start = reader.position;
  reader.skipUntil((code) => code === char.greaterThan);
  if (reader.isAtEnd) reader.fail("unexpected end of the stream within a verbatim tag");
  checkTagName(reader, reader.text.slice(start, reader.position), tagUri);
  reader.position++;
}

/** `!`, `!local`, `!!str` or `!handle!name` */
function readShortTag(reader: TextReader, start: number, isInFlow: boolean, handles: ReadonlySet<string>): void {
  const isEnd = (code: number): boolean => char.isBlankOrBreak(code) || (isInFlow && char.isFlowIndicator(code));
  reader.skipUntil(isEnd);
  const written = reader.text.slice(start, reader.position);
  const last = written.lastIndexOf("!");
  const handle = written.slice(0, last + 1);
  const name = written.slice(last + 1);
  if (handle.split("!").length > 3) reader.fail("tag suffix cannot contain exclamation marks");
  if (!tagHandle.test(handle)) reader.fail("named tag handle cannot contain such characters");
  if (/[,[\]{}]/.test(name)) reader.fail("tag suffix cannot contain flow indicator characters");
  checkTagName(reader, name, tagSuffix);
  if (handle !== "!" && handle !== "!!" && !handles.has(handle)) reader.fail(`undeclared tag handle "${handle}"`);
}

function checkTagName(reader: TextReader, name: string, pattern: RegExp): void {
  if (name !== "" && !pattern.test(name)) reader.fail(`tag name cannot contain such characters: ${name}`);
}

const isNameEnd = (code: number): boolean => char.isBlankOrBreak(code) || char.isFlowIndicator(code);

function readAnchor(reader: TextReader, properties: Properties): boolean {
  if (reader.peek() !== char.ampersand) return false;
  if (properties.anchor !== "") reader.fail("duplication of an anchor property");
  properties.anchor = readName(reader, "name of an anchor node must contain at least one character");
  return true;
}

/** The name that an alias refers to; undefined: there is no alias here. */
export function readAliasName(reader: TextReader, properties: Properties): string | undefined {
  if (reader.peek() !== char.asterisk) return undefined;
  if (hasProperties(properties)) reader.fail("alias node should not have any properties");
  return readName(reader, "name of an alias node must contain at least one character");
}

/** Behind its indicator. */
function readName(reader: TextReader, missing: string): string {
  reader.position++;
  const start = reader.position;
  reader.skipUntil(isNameEnd);
  if (reader.position === start) reader.fail(missing);
  return reader.text.slice(start, reader.position);
}

/** `%YAML` and `%TAG` lines before a document. @returns the tag handles that they declare; undefined: there are none */
export function readDirectives(reader: TextReader): Set<string> | undefined {
  let handles: Set<string> | undefined;
  let hasVersion = false;
  reader.skipSpace();
  while (reader.lineIndent === 0 && reader.peek() === char.percent) {
    handles ??= new Set();
    const { name, values } = readDirective(reader);
    if (name === "YAML") {
      if (hasVersion) reader.fail("duplication of %YAML directive");
      hasVersion = true;
      checkVersion(reader, values);
    } else if (name === "TAG") declareHandle(reader, values, handles);
    reader.skipSpace();
  }
  return handles;
}

function readDirective(reader: TextReader): { name: string; values: string[] } {
  reader.position++;
  const word = (): string => {
    const start = reader.position;
    reader.skipUntil(char.isBlankOrBreak);
    return reader.text.slice(start, reader.position);
  };
  const name = word();
  if (name === "") reader.fail("directive name must not be less than one character in length");
  const values: string[] = [];
  for (reader.skipBlanks(); !char.isBlankBreakOrEnd(reader.peek()) && reader.peek() !== char.hash; reader.skipBlanks())
    values.push(word());
  if (reader.peek() === char.hash) reader.skipLine();
  if (char.isLineBreak(reader.peek())) reader.takeLineBreak();
  return { name, values };
}

function checkVersion(reader: TextReader, values: readonly string[]): void {
  const [version = ""] = values;
  if (values.length !== 1) reader.fail("YAML directive accepts exactly one argument");
  const match = /^(\d+)\.\d+$/.exec(version);
  if (!match) reader.fail("ill-formed argument of the YAML directive");
  if (Number(match[1]) !== 1) reader.fail("unacceptable YAML version of the document");
}

function declareHandle(reader: TextReader, values: readonly string[], handles: Set<string>): void {
  const [handle = "", prefix = ""] = values;
  if (values.length !== 2) reader.fail("TAG directive accepts exactly two arguments");
  if (!tagHandle.test(handle)) reader.fail("ill-formed tag handle (first argument) of the TAG directive");
  if (handles.has(handle)) reader.fail(`there is a previously declared suffix for "${handle}" tag handle`);
  const isPrefix = prefix.startsWith("!") || tagSuffix.test(prefix.slice(0, 1)) || prefix.startsWith("%");
  if (!isPrefix || !tagUri.test(prefix)) reader.fail("ill-formed tag prefix (second argument) of the TAG directive");
  handles.add(handle);
}
