/** A header field: name in lower case, value. */
export type Header = readonly [name: string, value: string];

/** The first value of a name. */
export function headerValue(headers: readonly Header[], name: string): string | undefined {
  for (const header of headers) if (header[0] === name) return header[1];
  return undefined;
}
