import { getOwn } from "@coxswain/apimachinery/own";

/**
 * The language of the filter box. Words match anywhere in a row; `column=value` one column. All terms must hold.
 *
 *   nginx status=Failed,Error node!=node-7 age<1h restarts>3 ready:0/ label:app=web -kube "two words"
 */
export type FilterTerm =
  | { readonly kind: "text"; readonly text: string; readonly negated: boolean }
  | {
      readonly kind: "column";
      readonly column: string;
      readonly operator: FilterOperator;
      readonly values: readonly string[];
      readonly negated: boolean;
    }
  | { readonly kind: "label"; readonly key: string; readonly value: string | undefined; readonly negated: boolean };

export type FilterOperator = "=" | "!=" | ":" | "<" | ">" | "<=" | ">=";

/** Terms of a filter are at most so many; each is asked of each row. */
const maxTerms = 20;

/** A row as a filter sees it. */
export interface FilteredRow {
  readonly namespace: string;
  readonly name: string;
  readonly cells: readonly string[];
  readonly created: number;
  readonly labels: Readonly<Record<string, string>> | undefined;
}

export interface CompiledFilter {
  /** A sentence, or "". What is wrong is left out of the filter. */
  readonly problem: string;
  matches(row: FilteredRow): boolean;
}

export function parseFilter(text: string): FilterTerm[] {
  return wordsOf(text).slice(0, maxTerms).flatMap(termOf);
}

/** Words of a filter: blanks part them, quotes hold them together. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word = "";
  let quoted = false;
  for (const char of text) {
    if (char === '"') quoted = !quoted;
    else if (!quoted && (char === " " || char === "\t")) {
      if (word !== "") words.push(word);
      word = "";
    } else word += char;
  }
  if (word !== "") words.push(word);
  return words;
}

const columnTerm = /^([A-Za-z][A-Za-z0-9._-]*)(!=|<=|>=|=|<|>|:)(.*)$/s;

function termOf(word: string): FilterTerm[] {
  const negated = word.length > 1 && word.startsWith("-");
  const body = negated ? word.slice(1) : word;
  const label = /^(?:label|l):([^=]+)(?:=(.*))?$/s.exec(body);
  if (label) return [{ kind: "label", key: label[1] ?? "", value: label[2], negated }];
  const [, column, operator, value] = columnTerm.exec(body) ?? [];
  if (column === undefined || value === undefined || value === "") {
    // "status=" is on its way to become a term: it hides nothing meanwhile.
    return column !== undefined ? [] : [{ kind: "text", text: body.toLowerCase(), negated }];
  }
  const values = value
    .toLowerCase()
    .split(",")
    .filter((part) => part !== "");
  return [{ kind: "column", column: column.toLowerCase(), operator: operator as FilterOperator, values, negated }];
}

const aliases: Readonly<Record<string, string>> = { ns: "namespace", st: "status" };

/** @param columns names as the server prints them; `now` is for ages */
export function compileFilter(text: string, columns: readonly string[], now: () => number): CompiledFilter {
  const names = columns.map(plainName);
  const tests: ((row: FilteredRow) => boolean)[] = [];
  let problem = "";
  for (const term of parseFilter(text)) {
    const test = testOf(term, names, now);
    if (typeof test === "string") problem ||= test;
    else tests.push(term.negated ? (row) => !test(row) : test);
  }
  return { problem, matches: (row) => tests.every((test) => test(row)) };
}

/** "Up-to-date" and "uptodate" are one column. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

function testOf(
  term: FilterTerm,
  names: readonly string[],
  now: () => number,
): ((row: FilteredRow) => boolean) | string {
  switch (term.kind) {
    case "text":
      return (row) => contains(row, term.text);
    case "label":
      return ({ labels }) => {
        const found = getOwn(labels, term.key);
        return term.value === undefined ? found !== undefined : found === term.value;
      };
    case "column": {
      const name = plainName(Object.hasOwn(aliases, term.column) ? (aliases[term.column] ?? "") : term.column);
      const read = readerOf(name, names);
      if (!read) return `there is no column ${JSON.stringify(term.column)}`;
      if (name === "age")
        return (
          ageTest(term.operator, term.values, now) ??
          `${JSON.stringify(term.values[0])} is no time span such as 10m or 2h`
        );
      return columnTest(term.operator, term.values, read);
    }
  }
}

const contains = (row: FilteredRow, text: string): boolean =>
  row.name.toLowerCase().includes(text) ||
  row.namespace.toLowerCase().includes(text) ||
  row.cells.some((cell) => cell.toLowerCase().includes(text));

function readerOf(name: string, names: readonly string[]): ((row: FilteredRow) => string) | undefined {
  if (name === "namespace") return (row) => row.namespace;
  if (name === "name") return (row) => row.name;
  if (name === "age") return () => "";
  const at = names.indexOf(name);
  return at < 0 ? undefined : (row) => row.cells[at] ?? "";
}

function columnTest(
  operator: FilterOperator,
  values: readonly string[],
  read: (row: FilteredRow) => string,
): (row: FilteredRow) => boolean {
  const cell = (row: FilteredRow): string => read(row).toLowerCase();
  switch (operator) {
    case "=":
      return (row) => values.includes(cell(row));
    case "!=":
      return (row) => !values.includes(cell(row));
    case ":":
      return (row) => values.some((value) => cell(row).includes(value));
    default: {
      const limit = numberIn(values[0] ?? "");
      return (row) => compare(operator, numberIn(read(row)), limit);
    }
  }
}

function ageTest(
  operator: FilterOperator,
  values: readonly string[],
  now: () => number,
): ((row: FilteredRow) => boolean) | undefined {
  const limit = spanOf(values[0] ?? "");
  if (limit === undefined) return undefined;
  const by = operator === "=" || operator === ":" ? "<=" : operator === "!=" ? ">" : operator;
  return ({ created }) => created > 0 && compare(by, now() - created, limit);
}

function compare(operator: FilterOperator, a: number, b: number): boolean {
  if (Number.isNaN(a) || Number.isNaN(b)) return false;
  if (operator === "<") return a < b;
  if (operator === ">") return a > b;
  return operator === "<=" ? a <= b : a >= b;
}

/** The number that a cell begins with: "3 (5m ago)" is 3, "2/3" is 2, "10Gi" is 10·2³⁰. */
export function numberIn(text: string): number {
  const [, digits, unit = ""] = /^\s*(-?\d+(?:\.\d+)?)\s*([KMGTPE]i?|k|m)?/.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * (units[unit] ?? 1);
}

const units: Readonly<Record<string, number>> = {
  m: 0.001,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

const spans: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

/** "1h30m", "2d", in milliseconds; undefined for anything else. */
export function spanOf(text: string): number | undefined {
  let total = 0;
  let digits = "";
  for (const char of text) {
    if (char >= "0" && char <= "9") digits += char;
    else if (digits === "" || digits.length > 9 || spans[char] === undefined) return undefined;
    else {
      total += Number(digits) * spans[char];
      digits = "";
    }
  }
  return digits === "" && text !== "" ? total : undefined;
}
