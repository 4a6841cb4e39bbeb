/** The structure of a JavaScript pattern, as far as it decides how often a backtracking matcher may look at a character. */
export type PatternNode =
  | { readonly kind: "character"; readonly atom: string }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly branches: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly body: PatternNode; readonly least: number; readonly most: number }
  | { readonly kind: "start" | "end" | "boundary" }
  | { readonly kind: "ahead"; readonly body: PatternNode }
  | { readonly kind: "behind"; readonly body: PatternNode }
  | { readonly kind: "reference" };

interface Cursor {
  readonly source: string;
  at: number;
}

/** Parses a pattern that the engine accepts; what it rejects is no concern here. */
export function parsePattern(source: string): PatternNode {
  const cursor = { source, at: 0 };
  const node = parseChoice(cursor);
  if (cursor.at < source.length) throw new Error(`not understood from position ${cursor.at}: /${source}/`);
  return node;
}

function parseChoice(cursor: Cursor): PatternNode {
  const branches = [parseSequence(cursor)];
  while (cursor.source[cursor.at] === "|") {
    cursor.at += 1;
    branches.push(parseSequence(cursor));
  }
  return branches.length === 1 ? branches[0]! : { kind: "choice", branches };
}

function parseSequence(cursor: Cursor): PatternNode {
  const parts: PatternNode[] = [];
  while (cursor.at < cursor.source.length && !"|)".includes(cursor.source[cursor.at]!)) {
    parts.push(parseQuantified(cursor, parseAtom(cursor)));
  }
  return { kind: "sequence", parts };
}

const quantifier = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;

function parseQuantified(cursor: Cursor, body: PatternNode): PatternNode {
  quantifier.lastIndex = cursor.at;
  const match = quantifier.exec(cursor.source);
  if (match === null) return body;
  cursor.at = quantifier.lastIndex;
  const [text, least, comma, most] = match;
  if (text.startsWith("*")) return { kind: "repeat", body, least: 0, most: Number.POSITIVE_INFINITY };
  if (text.startsWith("+")) return { kind: "repeat", body, least: 1, most: Number.POSITIVE_INFINITY };
  if (text.startsWith("?")) return { kind: "repeat", body, least: 0, most: 1 };
  const upTo = comma === "" ? Number(least) : most === "" ? Number.POSITIVE_INFINITY : Number(most);
  return { kind: "repeat", body, least: Number(least), most: upTo };
}

const escapes =
  /\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<[^>]*>|[1-9]\d*|[^])/y;
const groupHeads = /\((?:\?(?::|=|!|<=|<!|<[^>]*>|[a-z]*(?:-[a-z]+)?:))?/y;

function take(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at;
  const text = pattern.exec(cursor.source)?.[0];
  if (text === undefined) throw new Error(`not understood at position ${cursor.at}: /${cursor.source}/`);
  cursor.at += text.length;
  return text;
}

function parseAtom(cursor: Cursor): PatternNode {
  const character = cursor.source[cursor.at]!;
  if (character === "(") return parseGroup(cursor);
  if (character === "[") return { kind: "character", atom: takeClass(cursor) };
  if (character === "\\") return escapeNode(take(cursor, escapes));
  const code = cursor.source.codePointAt(cursor.at) as number;
  const atom = String.fromCodePoint(code);
  cursor.at += atom.length;
  if (atom === "^") return { kind: "start" };
  if (atom === "$") return { kind: "end" };
  // A brace or bracket that opens nothing is a character of its own, but not where flags make it one that must be escaped.
  return { kind: "character", atom: "{}]".includes(atom) ? `\\${atom}` : atom };
}

function escapeNode(text: string): PatternNode {
  if (text === "\\b" || text === "\\B") return { kind: "boundary" };
  if (/^\\(?:[1-9]|k<)/.test(text)) return { kind: "reference" };
  return { kind: "character", atom: text };
}

function parseGroup(cursor: Cursor): PatternNode {
  const head = take(cursor, groupHeads);
  const body = parseChoice(cursor);
  if (cursor.source[cursor.at] !== ")") throw new Error(`a group is not closed: /${cursor.source}/`);
  cursor.at += 1;
  if (head === "(?=" || head === "(?!") return { kind: "ahead", body };
  if (head === "(?<=" || head === "(?<!") return { kind: "behind", body };
  return body;
}

/** A class in brackets, with the brackets; the v flag's nested ones too. */
function takeClass(cursor: Cursor): string {
  const start = cursor.at;
  let depth = 0;
  do {
    const character = cursor.source[cursor.at];
    if (character === undefined) throw new Error(`a class is not closed: /${cursor.source}/`);
    if (character === "\\") cursor.at += 1;
    else if (character === "]") depth -= 1;
    else if (character === "[" && depth === 0) depth = 1;
    cursor.at += 1;
  } while (depth > 0);
  return cursor.source.slice(start, cursor.at);
}
