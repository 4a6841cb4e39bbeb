import { additionalOf, propertyOf, type Schema } from "./schema-walk.js";

/** A path that leads to no field; the message is upstream's. */
export class FieldPathError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FieldPathError";
  }
}

export interface FoundField {
  readonly schema: Schema;
  /** The first name of the path. */
  readonly root: string;
  readonly path: string;
}

/** The schema of what `.spec.a['b.c']` leads to; there is no way into lists. `brackets`: whether names may be quoted. @throws FieldPathError */
export function findField(
  text: string,
  schema: Schema,
  { brackets = true }: { readonly brackets?: boolean } = {},
): FoundField {
  const tokens = tokensOf(text);
  let found: FoundField = { schema, root: "", path: "" };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    if (token === "[") {
      if (!brackets) throw new FieldPathError("array notation is not allowed");
      found = step(found, unquoted(next(tokens, ++at)));
      const close = next(tokens, ++at);
      if (close !== "]") throw new FieldPathError(`expected ] but got ${close}`);
    } else if (token === ".") {
      found = step(found, next(tokens, ++at));
    } else {
      throw new FieldPathError(`expected [ or . but got: ${token}`);
    }
  }
  return found;
}

const delimiter = /[.[\]]/g;

/** A text in single quotes is one token, whatever is in it; so is what stands between delimiters, and each of those. */
function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < text.length; at += tokens.at(-1)!.length) {
    const end = text[at] === "'" ? endOfQuoted(text, at) : endOfName(text, at);
    tokens.push(text.slice(at, end));
  }
  return tokens;
}

/** Behind the next quote without a backslash before it, or the end of the text. */
function endOfQuoted(text: string, start: number): number {
  let quote = text.indexOf("'", start + 1);
  while (quote >= 0 && text[quote - 1] === "\\") quote = text.indexOf("'", quote + 1);
  return quote < 0 ? text.length : quote + 1;
}

function endOfName(text: string, start: number): number {
  delimiter.lastIndex = start;
  const found = delimiter.exec(text)?.index ?? text.length;
  return Math.max(found, start + 1);
}

function next(tokens: readonly string[], at: number): string {
  const token = tokens[at];
  if (token === undefined) throw new FieldPathError("unexpected end of JSON path");
  return token;
}

function step({ schema, root, path }: FoundField, name: string): FoundField {
  const named = schema.properties !== undefined;
  if (!named && schema.additionalProperties === undefined) throw new FieldPathError("does not refer to a valid field");
  const inner = named ? propertyOf(schema, name) : (additionalOf(schema) ?? {});
  if (!inner) throw new FieldPathError("does not refer to a valid field");
  return { schema: inner, root: path === "" ? name : root, path: named ? `${path}.${name}` : `${path}[${name}]` };
}

const escapes: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

function unquoted(token: string): string {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'"))
    throw new FieldPathError(`expected single quoted string but got ${token}`);
  return token.slice(1, -1).replaceAll(/\\(.)/gs, (all: string, char: string) => {
    const meant = escapes[char];
    if (meant === undefined) throw new FieldPathError(`invalid string literal: invalid escape char ${all}`);
    return meant;
  });
}
