const encoder = new TextEncoder();

/** Go's time package quotes in its own way: control characters and all that is not ASCII byte by byte. */
export function quoteTime(text: string): string {
  if (/^[ !#-[\]-\x7f]*$/.test(text)) return `"${text}"`;
  let quoted = "";
  for (const byte of encoder.encode(text)) {
    const char = String.fromCharCode(byte);
    if (byte < 0x20 || byte >= 0x80) quoted += `\\x${byte.toString(16).padStart(2, "0")}`;
    else quoted += char === '"' || char === "\\" ? `\\${char}` : char;
  }
  return `"${quoted}"`;
}
