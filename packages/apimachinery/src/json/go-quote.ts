const named = new Map([
  [0x07, "\\a"],
  [0x08, "\\b"],
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0b, "\\v"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
  [0x5c, "\\\\"],
]);
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** The text as Go's `%q` writes it. */
export function goQuote(text: string): string {
  let quoted = '"';
  for (const char of text) quoted += char === '"' ? '\\"' : escapeRune(char.codePointAt(0) as number, char);
  return `${quoted}"`;
}

/** A byte as Go's JSON scanner quotes it in its complaints: taken for a code point of its own. */
export function goQuoteByte(byte: number): string {
  if (byte === 0x27) return `'\\''`;
  return `'${byte === 0x22 ? '"' : escapeRune(byte, String.fromCharCode(byte))}'`;
}

function escapeRune(code: number, char: string): string {
  const name = named.get(code);
  if (name !== undefined) return name;
  if (printable.test(char)) return char;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

const hex = (code: number, width: number): string => code.toString(16).padStart(width, "0");
