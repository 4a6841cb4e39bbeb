/**
 * How JSON becomes a protobuf message, as data. A message has one line per field: JSON member, field number, and what it is:
 * `s` text, `b` boolean, `l` integer, `d` number, `s[]` texts, `any` a value as YAML, `any[]`, a message's name, `Name[]` a list of
 * it, `Name{}` a map of it. Instead of a member's name:
 *   `/`  the members that begin with a slash, as a map
 *   `x-` the members that begin so, as a map of `any`
 *   `*`  all members that no other line names, as a map
 * A choice has one line per case, the first that holds being taken: a test, the number, and what it is. Tests: `$ref` (it has that
 * member), `in=body` (a member has that value), `boolean`, `number`, `string`, `else`; where none holds the message is empty.
 * A wrapper `~` is a message with one field 1 that holds the JSON value itself, which may stand alone where a list is meant.
 */
export type MessageTable = ReadonlyMap<string, Message>;

export interface Message {
  readonly form: "fields" | "choice" | "wrapper";
  /** In descending order of number, as they are written; a choice in the order given. */
  readonly lines: readonly Line[];
  /** Members that some line names. */
  readonly named: ReadonlySet<string>;
}

export interface Line {
  readonly member: string;
  readonly number: number;
  readonly type: string;
  readonly shape: "one" | "list" | "map";
}

const marks = { "=": "fields", "?": "choice", "~": "wrapper" } as const;

/** `=Name` begins a message with fields, `?Name` a choice, `~Name` a wrapper. */
export function parseMessageTable(text: string): MessageTable {
  const table = new Map<string, Message>();
  for (const block of text.trim().split(/\n(?=[=?~])/)) {
    const [head = "", ...rows] = block.trim().split("\n");
    const form = marks[head[0] as keyof typeof marks];
    const lines = rows.map(parseLine);
    if (form === "fields") lines.sort((a, b) => b.number - a.number);
    table.set(head.slice(1), { form, lines, named: new Set(lines.map((line) => line.member)) });
  }
  return table;
}

function parseLine(row: string): Line {
  const [member = "", number, type = ""] = row.trim().split(" ");
  const shape = type.endsWith("[]") ? "list" : type.endsWith("{}") ? "map" : "one";
  return { member, number: Number(number), type: shape === "one" ? type : type.slice(0, -2), shape };
}
