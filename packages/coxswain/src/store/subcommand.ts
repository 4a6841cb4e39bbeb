import type { FlagTable } from "@coxswain/component/flags";
import { defineFlags, type OptionsOf } from "@coxswain/component/flags";
import { engineFrom, etcdFlags } from "../engine/engine-flags.js";
import type { StoreTarget } from "./open-access.js";

/** One of the words after `coxswain store`. */
export interface Subcommand<T extends FlagTable = FlagTable> {
  readonly name: string;
  /** What stands behind the name: `FILE`. */
  readonly takes: string;
  readonly summary: string;
  /** A few sentences for `--help`. @default the summary */
  readonly description?: string;
  readonly flags: T;
  /** How many words it takes besides flags. */
  readonly words: { readonly min: number; readonly max: number };
  run(call: {
    readonly options: OptionsOf<T>;
    /** Names of the flags that the user gave. */
    readonly given: ReadonlySet<string>;
    readonly target: StoreTarget;
    readonly words: readonly string[];
    readonly signal: AbortSignal;
  }): Promise<number>;
}

/** Keeps the exact types of the flags within, and hides them from the list of all. */
export const defineSubcommand = <const T extends FlagTable>(subcommand: Subcommand<T>): Subcommand =>
  subcommand as unknown as Subcommand;

/** Which store is meant. */
export const targetFlags = defineFlags({
  "data-dir": {
    group: "Store",
    type: "string",
    default: ".coxswain",
    value: "dir",
    help: "The data directory of the server.",
  },
  storage: {
    group: "Store",
    type: "string",
    default: "lmdb",
    choices: ["lmdb", "etcd"],
    help: "With etcd the cluster itself is asked, and not the server of the data directory.",
  },
  ...etcdFlags,
  "etcd-compaction-interval": { ...etcdFlags["etcd-compaction-interval"], hidden: true },
});

export const helpFlag = defineFlags({ help: { group: "Help", type: "boolean", help: "Show this text." } });

export const targetFrom = (options: OptionsOf<typeof targetFlags>, given: ReadonlySet<string>): StoreTarget => ({
  dataDir: options.dataDir,
  engine: engineFrom(options, given),
});
