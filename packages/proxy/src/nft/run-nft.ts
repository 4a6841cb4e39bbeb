import { spawn } from "node:child_process";
import type { Clock } from "@coxswain/runtime/clock";
import type { ExistingObjects } from "../rules/transaction.js";

/** nft's errors repeat the commands that failed; this much of them is enough to see why. */
const maxErrorBytes = 4_096;
/** What `nft -j -t list table` may answer: names and rules, no elements. */
const maxListingBytes = 64 << 20;
/** A transaction of 10,000 services takes two seconds; one that takes this long hangs. */
const timeoutMs = 120_000;

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

/** Resolves with what the program printed. @throws Error if it fails, is not there or hangs */
function runProgram(clock: Clock, [program = "", ...args]: readonly string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
    const output: Buffer[] = [];
    let outputBytes = 0;
    let errors = "";
    const timer = clock.setTimer(timeoutMs, () => child.kill("SIGKILL"));
    child.stdout.on("data", (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes > maxListingBytes) child.kill("SIGKILL");
      else output.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (errors.length < maxErrorBytes) errors += chunk.toString("utf8", 0, maxErrorBytes);
    });
    // A program that ends before it has read everything closes the pipe; its exit code and errors are reported below.
    child.stdin.on("error", () => {});
    child.on("error", (error) => {
      timer.cancel();
      reject(new Error(`${program} cannot be started: ${error.message}`, { cause: error }));
    });
    child.on("close", (code, signal) => {
      timer.cancel();
      if (code === 0) resolve(Buffer.concat(output).toString());
      else reject(new Error(`${program} failed (${signal ?? `exit code ${code}`}): ${errors.trim()}`));
    });
    child.stdin.end(input);
  });
}
