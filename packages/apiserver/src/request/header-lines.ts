import type { ApiRequest } from "./request.js";
import { trimBlanks } from "./trim-blanks.js";

export interface HeaderLine {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

/**
 * The lines of a request's headers, each for itself: a comma in a name of somebody does not make it two. In process
 * there are no lines, and commas part values.
 */
export function linesOf(request: ApiRequest): HeaderLine[] {
  const { wire } = request;
  if (!wire)
    return [...request.headerNames()].flatMap((name) =>
      (request.header(name) ?? "").split(", ").map((value) => ({ name, value: trimBlanks(value) })),
    );
  return wire.headerLines().map(([name, value]) => ({ name: name.toLowerCase(), value: trimBlanks(utf8Of(value)) }));
}

/** The values of each name, in the order of their lines. One pass: a request may have tens of thousands of lines before anybody knows who sent it. */
export function valuesByName(lines: readonly HeaderLine[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { name, value } of lines) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return values;
}

/** What Go reads of a header where one value is wanted: its first line. Undefined: there is none. */
export function firstLine(request: ApiRequest, name: string): string | undefined {
  const sent = firstSent(request, name);
  return sent === undefined || !request.wire ? sent : utf8Of(sent);
}

/** The same as it was received, to be sent back: bytes as the letters of the same numbers. */
export function firstSent(request: ApiRequest, name: string): string | undefined {
  const joined = request.header(name);
  const wire = joined?.includes(", ") ? request.wire : undefined;
  return wire ? wire.headerLines().find(([each]) => each.toLowerCase() === name)?.[1] : joined;
}

/** Bytes come as the letters of the same numbers, whatever they mean; what they mean is UTF-8 to Go. */
const utf8Of = (value: string): string => (isPlain.test(value) ? value : Buffer.from(value, "latin1").toString());

// oxlint-disable-next-line no-control-regex -- all that ASCII has
const isPlain = /^[\x00-\x7f]*$/;

/** Names of extras may have any characters: those that headers may not have are escaped as in paths. What is not escaped properly is taken as it is. */
export function unescapeKey(key: string): string {
  if (/%(?![0-9a-fA-F]{2})/.test(key)) return key;
  return utf8Of(key.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))));
}
