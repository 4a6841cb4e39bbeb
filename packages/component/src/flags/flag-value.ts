import { parseDurationMs } from "@coxswain/apimachinery/time";
import type { Flag } from "./flag.js";
import { FlagError } from "./flag-error.js";

export type FlagValue = string | number | boolean | readonly string[] | ReadonlyMap<string, string>;

/** The value of a flag that was not given. */
export function defaultValue(flag: Flag): FlagValue | undefined {
  switch (flag.type) {
    case "boolean":
      return flag.default ?? false;
    case "strings":
      return flag.default ?? [];
    case "map":
      return new Map(Object.entries(flag.default ?? {}));
    case "duration":
      return flag.default === undefined ? undefined : readDuration("its default", flag.default);
    case "string":
    case "integer":
    case "number":
      return flag.default;
  }
}

/** @param earlier what the same flag was given before, for those that may be repeated */
export function readValue(name: string, flag: Flag, text: string, earlier: FlagValue | undefined): FlagValue {
  switch (flag.type) {
    case "string":
      return choose(name, flag.choices, text);
    case "boolean":
      return readBoolean(name, text);
    case "integer":
    case "number":
      return readNumber(name, flag, text);
    case "duration": {
      const value = readDuration(name, text);
      if (flag.min !== undefined && value < readDuration(name, flag.min))
        throw new FlagError(`${name} must be at least ${flag.min}, not ${text}`);
      return value;
    }
    case "strings": {
      const items =
        text === ""
          ? []
          : (flag.whole ? [text] : text.split(",")).map((item) => choose(name, flag.choices, item.trim()));
      return [...((earlier as readonly string[] | undefined) ?? []), ...items];
    }
    case "map":
      return readMap(name, flag, text, earlier as ReadonlyMap<string, string> | undefined);
  }
}

function choose(name: string, choices: readonly string[] | undefined, text: string): string {
  if (choices && !choices.includes(text))
    throw new FlagError(`${name} must be one of ${choices.join(", ")}, not ${JSON.stringify(text)}`);
  return text;
}

/** The words that Go's strconv takes. */
function readBoolean(name: string, text: string): boolean {
  if (["1", "t", "T", "true", "TRUE", "True"].includes(text)) return true;
  if (["0", "f", "F", "false", "FALSE", "False"].includes(text)) return false;
  throw new FlagError(`${name} must be true or false, not ${JSON.stringify(text)}`);
}

function readNumber(name: string, flag: Flag & { type: "integer" | "number" }, text: string): number {
  const pattern = flag.type === "integer" ? /^[+-]?\d+$/ : /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
  const value = pattern.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value) || (flag.type === "integer" && !Number.isSafeInteger(value)))
    throw new FlagError(
      `${name} must be ${flag.type === "integer" ? "a whole number" : "a number"}, not ${JSON.stringify(text)}`,
    );
  const { min, max } = flag;
  if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
    const range =
      min !== undefined && max !== undefined
        ? `between ${min} and ${max}`
        : min !== undefined
          ? `at least ${min}`
          : `at most ${max}`;
    throw new FlagError(`${name} must be ${range}, not ${text}`);
  }
  return value;
}

function readDuration(name: string, text: string): number {
  const value = parseDurationMs(text);
  if (value === undefined)
    throw new FlagError(`${name} must be a duration such as 30s, 5m or 1h30m, not ${JSON.stringify(text)}`);
  return value;
}

function readMap(
  name: string,
  flag: Flag & { type: "map" },
  text: string,
  earlier: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, string> {
  const all = new Map(earlier);
  for (const pair of text.split(",")) {
    if (pair.trim() === "") continue;
    const equals = pair.indexOf("=");
    if (equals === 0 || (equals < 0 && !flag.bareKeys))
      throw new FlagError(`${name} must be pairs of the form key=value, not ${JSON.stringify(pair)}`);
    const [key, value] = equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
    all.set(key.trim(), value.trim());
  }
  return all;
}
