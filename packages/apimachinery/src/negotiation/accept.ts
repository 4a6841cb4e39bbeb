import { trimOf } from "../text/index.js";

/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly params: ReadonlyMap<string, string>;
}

/**
 * So much of a header is read, in UTF-16 units: it is parsed before the caller is known, and 900,000 commas took the only thread for
 * seconds. Clients send less than 1 KiB.
 */
const mostRead = 4096;

/**
 * The clauses of an Accept header, the preferred first. Broken clauses and parameters are passed over, as upstream does (github.com/munnerz/goautoneg/autoneg.go, ParseAccept), and so is
 * what lies behind the first 4 KiB.
 */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  const read = header.length <= mostRead ? header : header.slice(0, Math.max(0, header.lastIndexOf(",", mostRead)));
  for (const part of read.split(",")) {
    const clause = parseClause(trim(part));
    if (clause) clauses.push(clause);
  }
  return clauses.length <= fewClauses ? insertionSorted(clauses) : clauses.sort(compare);
}

function parseClause(part: string): AcceptClause | undefined {
  const [range = "", ...rest] = part.split(";");
  const [type = "", subtype = "", ...more] = range.split("/").map(trim);
  const single = range.indexOf("/") < 0 || (range.endsWith("/") && subtype === "");
  if (single ? type !== "*" : more.length > 1 || (more[0] ?? "") !== "") return undefined;
  const params = new Map<string, string>();
  let quality = 1;
  for (const word of rest) {
    const [name = "", value = "", ...extra] = word.split("=");
    if (value === "" || extra.length > 1 || (extra[0] ?? "") !== "") continue;
    if (trim(name) === "q") quality = parseQuality(value);
    else params.set(trim(name), trim(value));
  }
  return { type, subtype: single ? "*" : subtype, quality, params };
}

/** What is no number counts as 0. */
function parseQuality(text: string): number {
  return /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Math.fround(Number(text)) : 0;
}

/** Up to here Go sorts by insertion (sort.Sort in Go's library), which would be quadratic on the thousands that a header of 1 MiB holds. */
const fewClauses = 12;

/** Upstream's rule is not a proper order (a wildcard yields to a name of less quality), so for the headers of real clients its algorithm matters. */
function insertionSorted(clauses: readonly AcceptClause[]): AcceptClause[] {
  const sorted: AcceptClause[] = [];
  for (const clause of clauses) {
    let at = sorted.length;
    while (at > 0 && goesBefore(clause, sorted[at - 1] as AcceptClause)) at--;
    sorted.splice(at, 0, clause);
  }
  return sorted;
}

const compare = (a: AcceptClause, b: AcceptClause): number => (goesBefore(a, b) ? -1 : goesBefore(b, a) ? 1 : 0);

function goesBefore(a: AcceptClause, b: AcceptClause): boolean {
  return a.quality > b.quality || (a.type !== "*" && b.type === "*") || (a.subtype !== "*" && b.subtype === "*");
}

/** Blanks only: upstream leaves tabs where they are. */
const trim = (text: string): string => trimOf(text, " ");
