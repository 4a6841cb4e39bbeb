import type { LogFields, LogLevel } from "@coxswain/runtime/log";

export interface LogEntry {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

const colours: Readonly<Record<LogLevel, string>> = {
  error: "\u001B[31m",
  warn: "\u001B[33m",
  info: "\u001B[32m",
  debug: "\u001B[36m",
  trace: "\u001B[90m",
};
const reset = "\u001B[0m";

/** `2026-10-01T12:00:00.123Z INFO  Serving  address=127.0.0.1:6443` */
export function formatText(entry: LogEntry, options: { withStacks: boolean; colour: boolean }): string {
  const level = entry.level.toUpperCase().padEnd(5);
  const shown = options.colour ? `${colours[entry.level]}${level}${reset}` : level;
  const stacks: string[] = [];
  let line = `${new Date(entry.time).toISOString()} ${shown} ${printable(entry.message)}`;
  let gap = "  ";
  for (const [name, value] of Object.entries(entry.fields)) {
    if (value === undefined) continue;
    line += `${gap}${name}=${textValue(value)}`;
    gap = " ";
    if (options.withStacks && value instanceof Error && value.stack) stacks.push(value.stack.replace(/^/gm, "    "));
  }
  return `${[line, ...stacks].join("\n")}\n`;
}

/** Members `time`, `level`, `message`, then the fields; a field of one of these names gets a `_` in front. */
export function formatJson(entry: LogEntry, options: { withStacks: boolean }): string {
  const members: [string, unknown][] = [
    ["time", new Date(entry.time).toISOString()],
    ["level", entry.level],
    ["message", entry.message],
  ];
  for (const [name, value] of Object.entries(entry.fields)) {
    if (value === undefined) continue;
    members.push([
      name === "time" || name === "level" || name === "message" ? `_${name}` : name,
      jsonValue(value, options.withStacks),
    ]);
  }
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${safeJson(value)}`).join(",")}}\n`;
}

function textValue(value: unknown): string {
  const text =
    typeof value === "string"
      ? value
      : value instanceof Error
        ? describeError(value)
        : typeof value === "object" && value !== null
          ? safeJson(value)
          : String(value);
  // Quotes only where a reader could not see where the value ends.
  return text !== "" && /^[^\s"=\u0000-\u001F\u007F-\u009F]+$/.test(text)
    ? text
    : JSON.stringify(text).replace(/[\u007F-\u009F\u2028\u2029]/g, escapeCharacter);
}

/** A line feed or an escape sequence inside a message must not look like another line. */
const printable = (text: string): string => text.replace(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/g, escapeCharacter);
const escapeCharacter = (character: string): string =>
  character === "\n" ? "\\n" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

const jsonValue = (value: unknown, withStacks: boolean): unknown =>
  value instanceof Error
    ? withStacks
      ? { error: describeError(value), stack: value.stack }
      : describeError(value)
    : typeof value === "bigint"
      ? String(value)
      : value;

/** The message, and those of its causes that it does not already repeat. */
function describeError(error: Error): string {
  let text = error.message || error.name;
  for (let cause = error.cause, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    if (!text.includes(cause.message)) text += `: ${cause.message}`;
  }
  return text;
}

/** A log line never fails: what JSON refuses (a cycle, a throwing getter) is shown as a plain string. */
function safeJson(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? String(member) : member)) ?? "null"
    );
  } catch {
    return JSON.stringify(Object.prototype.toString.call(value));
  }
}
