/** How many bytes a base64 text stands for. Null, which a map of bytes may hold, stands for none. */
export function base64Length(text: string | null): number {
  if (text === null) return 0;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return Math.floor((text.length * 3) / 4) - padding;
}
