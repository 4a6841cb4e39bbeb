/** A header field: name in lower case, value. */
export type Header = readonly [name: string, value: string];

/** The first value of a name. */
export const headerValue = (headers: readonly Header[], name: string): string | undefined => headers.find((header) => header[0] === name)?.[1];
