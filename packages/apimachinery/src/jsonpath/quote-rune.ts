import { isPrintable } from "../field/index.js";

/** A character as Go's %#U writes it: `U+0023 '#'`. */
export function quoteRune(char: string): string {
  const code = `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return isPrintable(char) ? `${code} '${char}'` : code;
}
