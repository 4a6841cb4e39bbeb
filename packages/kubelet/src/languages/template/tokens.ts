import { TemplateError } from "./syntax.js";

/** A piece of a template: text, or one token inside an action. */
export type Token =
  | { readonly kind: "text"; readonly text: string; readonly line: number }
  | { readonly kind: "open" | "close"; readonly line: number }
  | {
      readonly kind: "word" | "variable" | "field";
      readonly text: string;
      readonly line: number;
      readonly glued: boolean;
    }
  | { readonly kind: "literal"; readonly value: string | number | boolean; readonly line: number }
  | { readonly kind: "sign"; readonly text: string; readonly line: number; readonly glued: boolean };

const wordStart = /[A-Za-z_]/;
const wordPart = /[A-Za-z0-9_]/;
const digit = /[0-9]/;
const space = /\s/;

/** Splits a template. `glued`: nothing stands between this token and the one before, as in `(x).y`. @throws TemplateError */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;
  const count = (text: string): void => {
    for (const character of text) if (character === "\n") line++;
  };

  function readText(trimsLeft: boolean): boolean {
    const end = source.indexOf("{{", at);
    let text = end < 0 ? source.slice(at) : source.slice(at, end);
    const raw = text;
    if (trimsLeft) text = text.trimStart();
    const trimsRight = end >= 0 && source[end + 2] === "-" && space.test(source[end + 3] ?? "");
    if (trimsRight) text = text.trimEnd();
    if (text !== "") tokens.push({ kind: "text", text, line });
    count(raw);
    if (end < 0) return false;
    at = end + (trimsRight ? 3 : 2);
    return true;
  }

  function quoted(quote: string): string {
    let text = "";
    for (at++; ; at++) {
      const character = source[at];
      if (character === undefined || character === "\n") throw new TemplateError(line, "unterminated quoted string");
      if (character === quote) break;
      text += character;
      if (character === "\\") text += source[++at] ?? "";
    }
    at++;
    try {
      return JSON.parse(`"${text}"`) as string;
    } catch {
      throw new TemplateError(line, `the quoted string "${text}" has an escape that is not supported`);
    }
  }

  function raw(): string {
    const end = source.indexOf("`", at + 1);
    if (end < 0) throw new TemplateError(line, "unterminated raw quoted string");
    const text = source.slice(at + 1, end);
    count(text);
    at = end + 1;
    return text;
  }

  const word = (): string => {
    const from = at;
    while (wordPart.test(source[at] ?? "")) at++;
    return source.slice(from, at);
  };

  function number(): number {
    const from = at;
    if (source[at] === "-" || source[at] === "+") at++;
    while (/[0-9a-zA-Z_.]/.test(source[at] ?? "")) at++;
    const text = source.slice(from, at).replaceAll("_", "");
    const value = Number(text);
    if (Number.isNaN(value)) throw new TemplateError(line, `bad number syntax: "${text}"`);
    return value;
  }

  /** The tokens of one action, up to its end. Returns whether the text behind it loses its leading space. */
  function readAction(): boolean {
    tokens.push({ kind: "open", line });
    for (let glued = false; ; ) {
      const character = source[at];
      const next = source[at + 1] ?? "";
      if (character === undefined) throw new TemplateError(line, "unclosed action");
      if (space.test(character)) {
        if (next === "-" && source.startsWith("}}", at + 2)) {
          tokens.push({ kind: "close", line });
          at += 4;
          return true;
        }
        count(character);
        at++;
        glued = false;
        continue;
      }
      if (source.startsWith("}}", at)) {
        tokens.push({ kind: "close", line });
        at += 2;
        return false;
      }
      if (source.startsWith("/*", at)) {
        const end = source.indexOf("*/", at);
        if (end < 0) throw new TemplateError(line, "unclosed comment");
        count(source.slice(at, end));
        at = end + 2;
      } else if (character === '"') tokens.push({ kind: "literal", value: quoted('"'), line });
      else if (character === "`") tokens.push({ kind: "literal", value: raw(), line });
      else if (character === "$") {
        at++;
        tokens.push({ kind: "variable", text: `$${word()}`, line, glued });
      } else if (character === "." && wordStart.test(next)) {
        at++;
        tokens.push({ kind: "field", text: word(), line, glued });
      } else if (digit.test(character) || ((character === "-" || character === "+") && digit.test(next)))
        tokens.push({ kind: "literal", value: number(), line });
      else if (wordStart.test(character)) tokens.push({ kind: "word", text: word(), line, glued });
      else if (source.startsWith(":=", at)) {
        at += 2;
        tokens.push({ kind: "sign", text: ":=", line, glued });
      } else if ("().|,=".includes(character)) {
        at++;
        tokens.push({ kind: "sign", text: character, line, glued });
      } else throw new TemplateError(line, `unexpected character ${JSON.stringify(character)} in an action`);
      glued = true;
    }
  }

  let trimsLeft = false;
  while (readText(trimsLeft)) trimsLeft = readAction();
  return tokens;
}
