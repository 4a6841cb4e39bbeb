import { largest } from "@coxswain/apimachinery/append";
import type { Flag, FlagTable } from "./flag.js";

export interface HelpOptions {
  /** For example `coxswain apiserver [flags]`. */
  readonly usage: string;
  /** A sentence or two, above everything; its line breaks are kept. */
  readonly description?: string;
  /** Columns of the terminal. @default 100 */
  readonly width?: number;
}

/** Groups in the order of their first flag, Help last; flags in the order of the table. */
export function formatHelp(table: FlagTable, options: HelpOptions): string {
  const width = Math.max(60, options.width ?? 100);
  const groups = new Map<string, { head: string; text: string }[]>();
  for (const [name, flag] of Object.entries(table)) {
    if (flag.hidden || flag.deprecated !== undefined) continue;
    const rows = groups.get(flag.group) ?? [];
    rows.push({ head: headOf(name, flag), text: textOf(flag) });
    groups.set(flag.group, rows);
  }
  const heads = [...groups.values()].flat().map(({ head }) => head.length);
  // A few long names should not push every explanation to the right edge: they get a line of their own.
  const column = Math.min(largest(heads, 0), Math.floor(width * 0.35)) + 4;
  const parts = [
    ...(options.description
      ? [
          options.description
            .split("\n")
            .flatMap((line) => wrapLine(line, width))
            .join("\n"),
        ]
      : []),
    `Usage:\n  ${options.usage}`,
  ];
  const inOrder = [...groups].sort(([a], [b]) => Number(a === "Help") - Number(b === "Help"));
  for (const [group, rows] of inOrder)
    parts.push(`${group}:\n${rows.flatMap((row) => layOut(row, column, width)).join("\n")}`);
  return `${parts.join("\n\n")}\n`;
}

const valueNames: Readonly<Record<Flag["type"], string>> = {
  string: "text",
  boolean: "",
  integer: "number",
  number: "number",
  duration: "duration",
  strings: "list",
  map: "key=value,…",
};

function headOf(name: string, flag: Flag): string {
  const value = flag.value ?? valueNames[flag.type];
  return `${flag.short ? `-${flag.short}, ` : ""}--${name}${flag.type === "boolean" ? "" : ` <${value}>`}`;
}

function textOf(flag: Flag): string {
  const choices = "choices" in flag && flag.choices ? ` One of ${flag.choices.join(", ")}.` : "";
  const shown =
    flag.default === undefined
      ? ""
      : typeof flag.default === "object"
        ? Array.isArray(flag.default)
          ? flag.default.join(",")
          : Object.entries(flag.default)
              .map(([key, value]) => `${key}=${value}`)
              .join(",")
        : String(flag.default);
  return `${flag.help}${choices}${shown === "" || shown === "false" ? "" : ` (default ${shown})`}`;
}

function layOut(row: { head: string; text: string }, column: number, width: number): string[] {
  const lines = wrap(row.text, width - column);
  const indent = " ".repeat(column);
  if (row.head.length + 4 > column) return [`  ${row.head}`, ...lines.map((line) => indent + line)];
  return lines.map((line, index) => (index === 0 ? `  ${row.head}`.padEnd(column) : indent) + line);
}

/** A row of a list keeps its indent; what does not fit is put below its last column. */
function wrapLine(line: string, width: number): string[] {
  const [head = ""] = /^ +(?:\S+(?: \S+)* {2,})?/.exec(line) ?? [];
  const [first = "", ...rest] = wrap(line.slice(head.length), width - head.length);
  return [head + first, ...rest.map((part) => " ".repeat(head.length) + part)];
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
