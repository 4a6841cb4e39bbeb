import { type Flag, type FlagTable, type OptionsOf, optionName } from "./flag.js";
import { FlagError } from "./flag-error.js";
import { defaultValue, type FlagValue, readValue } from "./flag-value.js";
import { nearest } from "./nearest.js";

export type ParsedFlags<T extends FlagTable> =
  | {
      readonly kind: "options";
      readonly options: OptionsOf<T>;
      /** Names of the flags that the user gave, as in the table. */
      readonly given: ReadonlySet<string>;
      /** What is no flag. */
      readonly rest: readonly string[];
      /** For the user: deprecated flags that were used. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: "help" };

/**
 * Reads a command line as Kubernetes' own components do: `--name=value`, `--name value`, `--switch`, `--switch=false`, `-v 4`, `-v4`.
 * `_` in a name is the same as `-`; what follows `--` is no flag; `--help` and `-h` win over everything.
 * @throws FlagError
 */
export function parseFlags<T extends FlagTable>(table: T, args: readonly string[]): ParsedFlags<T> {
  const values = new Map<string, FlagValue>();
  const warnings: string[] = [];
  const rest: string[] = [];
  const end = args.indexOf("--");
  const flagged = end < 0 ? args : args.slice(0, end);
  if (flagged.some((argument) => argument === "--help" || argument === "-h")) return { kind: "help" };

  for (let index = 0; index < flagged.length; index += 1) {
    const argument = flagged[index]!;
    if (!argument.startsWith("-") || argument === "-") {
      rest.push(argument);
      continue;
    }
    const { name, flag, shown, value } = splitArgument(table, argument);
    let text = value;
    if (text === undefined && flag.type === "boolean") text = "true";
    if (text === undefined) {
      index += 1;
      text = flagged[index];
      if (text === undefined) throw new FlagError(`${shown} needs a value`);
    }
    values.set(name, readValue(shown, flag, text, values.get(name)));
    if (flag.deprecated !== undefined) warnings.push(`${shown} is deprecated: ${flag.deprecated}`);
  }
  const options = Object.fromEntries(
    Object.entries(table).map(([name, flag]) => [optionName(name), values.get(name) ?? defaultValue(flag)]),
  );
  return {
    kind: "options",
    options: options as OptionsOf<T>,
    given: new Set(values.keys()),
    rest: [...rest, ...(end < 0 ? [] : args.slice(end + 1))],
    warnings,
  };
}

interface Argument {
  readonly name: string;
  readonly flag: Flag;
  /** As the user should read it in a message. */
  readonly shown: string;
  readonly value: string | undefined;
}

function splitArgument(table: FlagTable, argument: string): Argument {
  if (!argument.startsWith("--")) return splitShort(table, argument);
  const equals = argument.indexOf("=");
  const name = (equals < 0 ? argument.slice(2) : argument.slice(2, equals)).replaceAll("_", "-");
  const flag = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!flag) {
    const meant = nearest(name, Object.keys(table));
    throw new FlagError(
      `unknown flag --${name}${meant ? `. Did you mean --${meant}?` : ". See --help for all of them."}`,
    );
  }
  return { name, flag, shown: `--${name}`, value: equals < 0 ? undefined : argument.slice(equals + 1) };
}

function splitShort(table: FlagTable, argument: string): Argument {
  const letter = argument[1]!;
  const [name, flag] = Object.entries(table).find(([, candidate]) => candidate.short === letter) ?? [];
  if (!name || !flag) {
    const long = argument.slice(1).split("=", 1)[0]!;
    throw new FlagError(
      `unknown flag -${letter}${Object.hasOwn(table, long) ? `. Did you mean --${long}?` : ". See --help for all of them."}`,
    );
  }
  const value = argument.slice(2).replace(/^=/, "");
  return { name, flag, shown: `-${letter}`, value: argument.length === 2 ? undefined : value };
}

/** The same for a command that takes nothing but flags: a word too many may be a forgotten `--`, and is refused. @throws FlagError */
export function parseOnlyFlags<T extends FlagTable>(table: T, args: readonly string[]): ParsedFlags<T> {
  const parsed = parseFlags(table, args);
  const [word] = parsed.kind === "options" ? parsed.rest : [];
  if (word === undefined) return parsed;
  const hint = "name" in table ? `; "--name ${word}" names a cluster` : "";
  throw new FlagError(`takes only flags, not ${JSON.stringify(word)}${hint}`);
}
