interface FlagBase {
  /** The heading under which `--help` shows it. */
  readonly group: string;
  /** One or a few sentences. */
  readonly help: string;
  /** What the value is called in `--help`, for example "port". @default after the type */
  readonly value?: string;
  /** One letter, for `-v`. */
  readonly short?: string;
  /** Works, but `--help` does not show it. */
  readonly hidden?: boolean;
  /** What to do instead; using the flag gives a warning. */
  readonly deprecated?: string;
}

/** One flag. Its name stands in the table, as users write it: `secure-port`. */
export type Flag =
  | (FlagBase & { readonly type: "string"; readonly default?: string; readonly choices?: readonly string[] })
  | (FlagBase & { readonly type: "boolean"; readonly default?: boolean })
  | (FlagBase & {
      readonly type: "integer" | "number";
      readonly default?: number;
      readonly min?: number;
      readonly max?: number;
    })
  /** Written as Go writes it (`1h30m`, `500ms`); read as milliseconds. */
  | (FlagBase & { readonly type: "duration"; readonly default?: string; readonly min?: string })
  /** Separated by commas, and the flag may be repeated. A first one given replaces the default. */
  | (FlagBase & {
      readonly type: "strings";
      readonly default?: readonly string[];
      readonly choices?: readonly string[] /** A comma is part of the value. */;
      readonly whole?: boolean;
    })
  /** `key=value` pairs, otherwise like `strings`. With `bareKeys` a key may stand alone (its value is ""). */
  | (FlagBase & {
      readonly type: "map";
      readonly default?: Readonly<Record<string, string>>;
      readonly bareKeys?: boolean;
    });

export type FlagTable = Readonly<Record<string, Flag>>;

/** Keeps the exact types of a table, so that `parseFlags` returns exact options. */
export const defineFlags = <const T extends FlagTable>(table: T): T => table;

type CamelCase<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

interface Values {
  string: string;
  boolean: boolean;
  integer: number;
  number: number;
  duration: number;
  strings: readonly string[];
  map: ReadonlyMap<string, string>;
}

type ValueOf<F extends Flag> = F["type"] extends "boolean" | "strings" | "map"
  ? Values[F["type"]]
  : F extends { readonly default: string | number }
    ? Values[F["type"]]
    : Values[F["type"]] | undefined;

/** What a table's flags become: `secure-port` is `securePort`. Booleans, lists and maps are always there; the others when they have a default. */
export type OptionsOf<T extends FlagTable> = {
  readonly [Name in keyof T & string as CamelCase<Name>]: ValueOf<T[Name]>;
};

export const optionName = (flag: string): string =>
  flag.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
