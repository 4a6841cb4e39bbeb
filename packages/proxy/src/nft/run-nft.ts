import { runProgram } from "@coxswain/component/programs";
import type { Clock } from "@coxswain/runtime/clock";
import type { ExistingObjects } from "../rules/transaction.js";

/** The program nft, as far as tables are written and their names read. */
export interface Nft {
  /** Runs the commands as one transaction: all or none. @throws Error with nft's own words */
  run(commands: string): Promise<void>;
  /** The names of chains, sets and maps in a table ("ip coxswain-proxy"); undefined where it is not there. */
  list(table: string): Promise<ExistingObjects | undefined>;
}

/**
 * Hands commands to nft only once all of them are there. nft takes the end of its input for the end of the transaction: a proxy that is
 * killed while it writes 1.4 MB to a pipe would leave a table with half of its services.
 */
const onlyWhole = 'input=$(cat) && [ "${#input}" -eq "$1" ] && shift && printf "%s\\n" "$input" | "$@" -f -';

/** The command line of a transaction whose input has this many characters. */
export const planTransaction = (command: readonly string[], length: number): readonly string[] => [
  "sh",
  "-c",
  onlyWhole,
  "sh",
  String(length),
  ...command,
];

/** `command`: how nft is started; tests enter a network namespace first. */
export function createNft(clock: Clock, command: readonly string[] = ["nft"]): Nft {
  return {
    async run(commands) {
      const input = commands.trimEnd(); // as the shell reads it; it is ASCII
      await runProgram(clock, planTransaction(command, input.length), input);
    },
    async list(table) {
      try {
        return namesIn(await runProgram(clock, [...command, "-j", "-t", "list", "table", ...table.split(" ")], ""));
      } catch (error) {
        if ((error as Error).message.includes("No such file or directory")) return undefined;
        throw error;
      }
    },
  };
}

function namesIn(listing: string): ExistingObjects {
  const chains = new Set<string>();
  const sets = new Set<string>();
  const parsed = JSON.parse(listing) as { nftables?: Record<string, { name?: string } | undefined>[] };
  for (const { chain, set, map } of parsed.nftables ?? []) {
    if (chain?.name !== undefined) chains.add(chain.name);
    const name = set?.name ?? map?.name;
    if (name !== undefined) sets.add(name);
  }
  return { chains, sets };
}
