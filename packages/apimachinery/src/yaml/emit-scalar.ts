import { type ScalarStyle, special } from "./scalar-style.js";
import type { TextColumn } from "./text-column.js";

/** Where a text is written. */
export interface ScalarPlace {
  readonly style: ScalarStyle;
  /** Of the lines after the first. */
  readonly indent: number;
  /** Keys stay in one line; other texts are broken at blanks once they are wider than 80. */
  readonly breaks: boolean;
}

const width = 80;
const named = new Map([
  [0x00, "0"],
  [0x07, "a"],
  [0x08, "b"],
  [0x09, "t"],
  [0x0a, "n"],
  [0x0b, "v"],
  [0x0c, "f"],
  [0x0d, "r"],
  [0x1b, "e"],
  [0x22, '"'],
  [0x5c, "\\"],
  [0x85, "N"],
  [0xa0, "_"],
  [0x2028, "L"],
  [0x2029, "P"],
]);

/** Writes a text in the style chosen for it, as go-yaml's emitter does. */
export function emitScalar(out: TextColumn, text: string, place: ScalarPlace): void {
  if (place.style === "literal") return emitLiteral(out, text, place.indent);
  if (place.style === "double") return emitDouble(out, text, place);
  const quote = place.style === "single" ? "'" : "";
  out.put(quote);
  emitFlowing(out, text, place);
  out.put(quote);
}

/** Plain and single quoted texts. They have no line breaks of their own: those are written as blocks, or escaped. */
function emitFlowing(out: TextColumn, text: string, { style, indent, breaks }: ScalarPlace): void {
  const single = style === "single";
  if (!breaks || out.column + text.length <= width || !text.includes(" "))
    return out.put(single ? text.replaceAll("'", "''") : text);
  const chars = [...text];
  for (const [at, char] of chars.entries()) {
    const inside = !single || (at > 0 && at < chars.length - 1);
    if (char === " " && breaks && out.column > width && inside && chars[at - 1] !== " " && chars[at + 1] !== " ")
      out.newLine(indent);
    else out.put(single && char === "'" ? "''" : char);
  }
}

function emitDouble(out: TextColumn, text: string, { indent, breaks }: ScalarPlace): void {
  const bom = text.startsWith("\ufeff"); // go-yaml then escapes every character
  const chars = [...text];
  let afterSpace = false;
  out.put('"');
  for (const [at, char] of chars.entries()) {
    if (char === " " && !bom && breaks && !afterSpace && out.column > width && at > 0 && at < chars.length - 1) {
      out.newLine(indent);
      if (chars[at + 1] === " ") out.put("\\");
    } else {
      out.put(
        bom || char.length > 1 || special.test(char) || char === "\n" || char === '"' || char === "\\"
          ? escape(char.codePointAt(0) as number)
          : char,
      );
    }
    afterSpace = char === " ";
  }
  out.put('"');
}

function escape(code: number): string {
  const name = named.get(code);
  if (name !== undefined) return `\\${name}`;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

function emitLiteral(out: TextColumn, text: string, indent: number): void {
  const hint = /^[ \n]/.test(text) ? "2" : "";
  const chomp = !text.endsWith("\n") ? "-" : text === "\n" || text.endsWith("\n\n") ? "+" : "";
  out.put(`|${hint}${chomp}`);
  for (const line of text.replace(/\n$/, "").split("\n")) {
    out.newLine(0);
    if (line !== "") {
      out.pad(indent);
      out.put(line);
    }
  }
  if (text.endsWith("\n")) out.newLine(0);
}
