import { quoteGo } from "@coxswain/apimachinery/text";
import { CelError, type ListValue, type Value } from "../values/value.js";
import { clauseOf } from "./format-clauses.js";

/** A clause of a format string, `%.3f`. */
export interface ParsedClause {
  readonly letter: string;
  readonly precision: number | undefined;
}

/** What stands in a format string: text, and clauses for the arguments in turn. */
export type FormatPart = string | ParsedClause;

/** The value of a format with its arguments. */
export function formatString(format: string, args: ListValue): Value {
  let out = "";
  let index = 0;
  const problem = eachPart(format, {
    text: (text) => {
      out += text;
      return undefined;
    },
    hasArg: () => index < args.size,
    argIndex: () => index,
    clause: ({ letter, precision }) => {
      const formatted = clauseOf(letter, precision)?.(args.get(index++));
      if (formatted === undefined) return new CelError(unrecognized(letter));
      if (formatted instanceof CelError) return new CelError(`error during formatting: ${formatted.message}`);
      out += formatted;
      return undefined;
    },
  });
  return problem ?? out;
}

export interface FormatReader<E> {
  text(text: string): E | undefined;
  /** Whether there is an argument for the next clause. */
  hasArg(): boolean;
  argIndex(): number;
  clause(clause: ParsedClause): E | undefined;
}

/** Reads a format from left to right; the first problem ends it. */
export function eachPart<E>(format: string, reader: FormatReader<E>): E | CelError | undefined {
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf("%", at);
    if (percent < 0) return reader.text(format.slice(at));
    reader.text(format.slice(at, percent));
    if (format[percent + 1] === "%") {
      reader.text("%");
      at = percent + 2;
      continue;
    }
    if (!reader.hasArg()) return new CelError(`index ${reader.argIndex()} out of range`);
    if (percent + 1 >= format.length) return new CelError("unexpected end of string");
    const parsed = parseClause(format, percent + 1);
    if (parsed instanceof CelError) return parsed;
    const problem = reader.clause(parsed.clause);
    if (problem !== undefined) return problem;
    at = parsed.end;
  }
  return undefined;
}

const unrecognized = (letter: string): string =>
  `could not parse formatting clause: unrecognized formatting clause "${letter}"`;

/** What a number of digits beyond this would be refused by: memory. */
const maxPrecision = 1_000_000;

function parseClause(format: string, start: number): { clause: ParsedClause; end: number } | CelError {
  let at = start;
  let precision: number | undefined;
  if (format[at] === ".") {
    at++;
    while (at < format.length && /[0-9]/.test(format[at] as string)) at++;
    const fail = (words: string): CelError =>
      new CelError(`could not parse formatting clause: error while parsing precision: ${words}`);
    if (at >= format.length) return fail("could not find end of precision specifier");
    const digits = format.slice(start + 1, at);
    if (digits === "")
      return fail(`error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax`);
    precision = Number(digits);
    if (precision > maxPrecision)
      return fail(
        `error while converting precision to integer: strconv.Atoi: parsing ${quoteGo(digits)}: value out of range`,
      );
  }
  const letter = format[at] as string;
  if (!"sdfebxXo".includes(letter)) return new CelError(unrecognized(firstByte(letter)));
  return { clause: { letter, precision }, end: at + 1 };
}

/** Upstream looks at bytes here: of a character beyond ASCII it shows the first one. */
const firstByte = (char: string): string =>
  char.charCodeAt(0) < 0x80 ? char : String.fromCharCode(new TextEncoder().encode(char)[0] as number);
