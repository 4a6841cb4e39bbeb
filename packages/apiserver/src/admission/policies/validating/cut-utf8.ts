/** The start of a text that takes at most so many bytes. A character that does not fit whole is left out. */
export function cutUtf8(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}
