const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x09 || unit === 0x0d || unit === 0x0a;

/**
 * Without the blanks around it that HTTP allows (RFC 9110, 5.5), as Go's `textproto.TrimString` trims. `trim()` would also take
 * away others, such as a non-breaking space, which may be part of a name.
 */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}
