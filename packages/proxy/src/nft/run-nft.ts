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

/** `command`: how nft is started; tests enter a network namespace first. */
export function createNft(clock: Clock, command: readonly string[] = ["nft"]): Nft {
  return {
    run: async (commands) => void (await runProgram(clock, [...command, "-f", "-"], commands)),
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
