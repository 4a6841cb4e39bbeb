import { utf8Length } from "@coxswain/apimachinery/text";
import { type Location, type Source } from "./source.js";

/** One thing that is wrong with an expression. */
export interface Issue {
  /** The expression node it belongs to; 0 for none. */
  readonly id: number;
  readonly location: Location;
  readonly message: string;
}

/** Upstream reports at most this many; the rest are only counted. */
const reportLimit = 100;
/** Bytes of a source line that are still repeated below a message. */
const snippetLimit = 16_384;

/** Collects what is wrong with one expression and prints it as upstream does (github.com/google/cel-go/common/errors.go, ToDisplayString). */
export class Issues {
  readonly source: Source;
  readonly #issues: Issue[] = [];
  #count = 0;

  constructor(source: Source) {
    this.source = source;
  }

  get count(): number {
    return this.#count;
  }

  get all(): readonly Issue[] {
    return this.#issues;
  }

  report(id: number, location: Location, message: string): void {
    this.#count++;
    if (this.#count <= reportLimit) this.#issues.push({ id, location, message });
  }

  /** All issues by place, each with its line and a mark below it. */
  toString(): string {
    const sorted = [...this.#issues].sort(
      (a, b) => a.location.line - b.location.line || a.location.column - b.location.column,
    );
    const lines = sorted.map((issue) => display(issue, this.source));
    if (this.#count > reportLimit) lines.push(`${this.#count - reportLimit} more errors were truncated`);
    return lines.join("\n");
  }
}

function display(issue: Issue, source: Source): string {
  const { line, column } = issue.location;
  const head = `ERROR: ${source.description}:${line}:${column + 1}: ${issue.message}`;
  const snippet = source.line(line);
  if (snippet === undefined || utf8Length(snippet) > snippetLimit) return head;
  const shown = snippet.replaceAll("\t", " ");
  let mark = "";
  let index = 0;
  for (; mark.length < column && index < shown.length; ) {
    const char = String.fromCodePoint(shown.codePointAt(index) as number);
    mark += isWide(char) ? "．" : ".";
    index += char.length;
  }
  const under = index < shown.length && isWide(shown[index] as string) ? "＾" : "^";
  return `${head}\n | ${shown}\n | ${mark}${under}`;
}

const isWide = (char: string): boolean => (char.codePointAt(0) as number) > 0x7f;
