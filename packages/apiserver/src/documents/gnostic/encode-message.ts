import { getOwn } from "@coxswain/apimachinery/own";
import type { Line, Message, MessageTable } from "./message-table.js";
import { ReverseWriter } from "./reverse-writer.js";
import { yamlText } from "./yaml-text.js";

type JsonMembers = Readonly<Record<string, unknown>>;

/** `value` as a message of the table. Members that the table does not know are left out. */
export function encodeMessage(table: MessageTable, name: string, value: unknown): Uint8Array {
  const writer = new ReverseWriter();
  writeMessage(table, messageOf(table, name), value, writer);
  return writer.finish();
}

function messageOf(table: MessageTable, name: string): Message {
  const message = table.get(name);
  if (!message) throw new Error(`the message table has no ${name}`);
  return message;
}

function writeMessage(table: MessageTable, message: Message, value: unknown, writer: ReverseWriter): void {
  switch (message.form) {
    case "wrapper":
      return writeLine(table, message.lines[0]!, Array.isArray(value) ? value : [value], writer);
    case "choice": {
      const chosen = message.lines.find((line) => holds(line.member, value));
      // A chosen member has a meaning even when it is zero.
      if (chosen) writeValue(table, chosen.type, chosen.number, value, writer, true);
      return;
    }
    case "fields":
      for (const line of message.lines) {
        const member = memberOf(message, line.member, value as JsonMembers);
        if (member !== undefined) writeLine(table, line, member, writer);
      }
  }
}

function holds(test: string, value: unknown): boolean {
  if (test === "else") return true;
  if (test === "boolean" || test === "number" || test === "string") return typeof value === test;
  const [member = "", wanted] = test.split("=");
  const found = getOwn(value as JsonMembers, member);
  return wanted === undefined ? found !== undefined : found === wanted;
}

function memberOf(message: Message, name: string, value: JsonMembers): unknown {
  const pick = (test: (name: string) => boolean): [string, unknown][] =>
    Object.entries(value).filter(([each]) => test(each));
  switch (name) {
    case "/":
      return pick((each) => each.startsWith("/"));
    case "x-":
      return pick((each) => each.startsWith("x-"));
    case "*":
      return pick((each) => !message.named.has(each) && !(message.named.has("x-") && each.startsWith("x-")));
    default:
      return getOwn(value, name);
  }
}

function writeLine(table: MessageTable, { number, type, shape }: Line, value: unknown, writer: ReverseWriter): void {
  if (shape === "one") return writeValue(table, type, number, value, writer, false);
  if (shape === "list") {
    const list = value as readonly unknown[];
    for (let index = list.length - 1; index >= 0; index--) writeValue(table, type, number, list[index], writer, true);
    return;
  }
  const entries = (Array.isArray(value) ? value : Object.entries(value as object)) as readonly [string, unknown][];
  for (let index = entries.length - 1; index >= 0; index--) {
    const [name, member] = entries[index]!;
    writer.field(number, () => {
      writeValue(table, type, 2, member, writer, false);
      writeValue(table, "s", 1, name, writer, false);
    });
  }
}

/** A scalar that is zero is not written, except in a list or a choice. */
function writeValue(
  table: MessageTable,
  type: string,
  number: number,
  value: unknown,
  writer: ReverseWriter,
  evenZero: boolean,
): void {
  switch (type) {
    case "s":
      if (evenZero || value !== "") writer.field(number, () => writer.text(value as string));
      return;
    case "any":
      return writer.field(number, () => writer.field(2, () => writer.text(yamlText(value))));
    case "b":
    case "l":
      if (!value && !evenZero) return;
      writer.varint(Number(value));
      return writer.tag(number, 0);
    case "d":
      if (!value && !evenZero) return;
      writer.double(value as number);
      return writer.tag(number, 1);
    default:
      writer.field(number, () => writeMessage(table, messageOf(table, type), value, writer));
  }
}
