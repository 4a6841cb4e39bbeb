import type { FlagTable, OptionsOf } from "@coxswain/component/flags";

/** What a command works on, so that tests run it in a folder of their own. */
export interface ProjectPlace {
  /** The project's folder. */
  readonly directory: string;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Ends what runs until it is stopped. @default SIGINT and SIGTERM */
  readonly signal?: AbortSignal;
}

/** One of the words after `coxswain operator` or `coxswain api`. */
export interface Subcommand<T extends FlagTable = FlagTable> {
  /** One word, or two: `create api`. */
  readonly name: string;
  /** What stands behind the name: `FILE`. */
  readonly takes: string;
  readonly summary: string;
  /** A few sentences for `--help`. */
  readonly description: string;
  readonly flags: T;
  /** Of words besides flags. */
  readonly maxWords: number;
  /** The number is the exit code. */
  run(call: SubcommandCall<T>): number | Promise<number>;
}

export interface SubcommandCall<T extends FlagTable> extends ProjectPlace {
  readonly options: OptionsOf<T>;
  readonly words: readonly string[];
}

/** Keeps the exact types of the flags within, and hides them from the list of all. */
export const defineSubcommand = <const T extends FlagTable>(subcommand: Subcommand<T>): Subcommand =>
  subcommand as unknown as Subcommand;
