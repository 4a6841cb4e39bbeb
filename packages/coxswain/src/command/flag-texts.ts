import { formatDurationMs } from "@coxswain/apimachinery/time";
import { type FlagTable, optionName } from "@coxswain/component/flags";

/** The flags as `/flagz` shows them, in Go's manner of writing values. `options`: what `parseFlags` made of the table. */
export function flagTexts(table: FlagTable, options: object): ReadonlyMap<string, string> {
  const values = new Map<string, unknown>(Object.entries(options));
  return new Map(Object.entries(table).map(([name, flag]) => [name, textOf(values.get(optionName(name)), flag.type)]));
}

function textOf(value: unknown, type: string): string {
  if (value === undefined) return "";
  if (type === "duration") return formatDurationMs(value as number);
  if (Array.isArray(value)) return `[${value.join(",")}]`;
  return value instanceof Map ? [...value].map(([key, member]) => `${key}=${member}`).join(",") : String(value);
}
