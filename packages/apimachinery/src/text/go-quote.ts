/** Letters, marks, numbers, punctuation and symbols, and of the spaces only U+0020: what Go's %q prints as it is. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Go's unicode.IsPrint for one character. */
export const isPrintable = (char: string): boolean => printable.test(char);

const plain = /^[ !#-[\]-~]*$/;

const named: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

/**
 * A string as Go's %q and strconv.Quote write it. Upstream's messages quote names and values this way.
 * A lone surrogate, which Go cannot hold, is written as U+FFFD.
 */
export function quoteGo(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let out = '"';
  for (const char of text) out += named[char] ?? (isPrintable(char) ? char : escapeRune(char));
  return `${out}"`;
}

function escapeRune(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code < 0x1_0000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

const hex = (code: number, width: number): string => code.toString(16).padStart(width, "0");

/** A byte as Go's JSON scanner quotes it in its errors: taken for a character of its own. */
export function quoteGoByte(byte: number): string {
  const char = String.fromCharCode(byte);
  if (char === "'") return `'\\''`;
  return `'${char === '"' ? '"' : (named[char] ?? (isPrintable(char) ? char : escapeRune(char)))}'`;
}
