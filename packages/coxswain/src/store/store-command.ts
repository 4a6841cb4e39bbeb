import { defineFlags, FlagError, formatHelp, nearest, parseFlags } from "@coxswain/component/flags";
import type { Command } from "../command/command.js";
import { untilSignal } from "../command/until-signal.js";
import { backupSubcommand } from "./backup.js";
import { checkSubcommand } from "./check.js";
import { compactSubcommand } from "./compact.js";
import { defragSubcommand } from "./defrag.js";
import { getSubcommand } from "./get.js";
import { historySubcommand } from "./history.js";
import { restoreSubcommand } from "./restore.js";
import { serveSubcommand } from "./serve.js";
import { statusSubcommand } from "./status.js";
import { helpFlag, type Subcommand, targetFlags, targetFrom } from "./subcommand.js";

const subcommands: readonly Subcommand[] = [
  statusSubcommand,
  backupSubcommand,
  restoreSubcommand,
  getSubcommand,
  historySubcommand,
  compactSubcommand,
  defragSubcommand,
  checkSubcommand,
  serveSubcommand,
];

const usage =
  (): string => `Looks after the store of a cluster: through the server that runs, or by opening the data directory when none does.

Usage:
  coxswain store COMMAND [flags]

Commands:
${subcommands.map(({ name, takes, summary }) => `  ${`${name} ${takes}`.padEnd(20)}${summary}`).join("\n")}

"coxswain store COMMAND --help" shows what a command takes.
`;

export const storeCommand: Command = {
  name: "store",
  summary: "Backs up, restores and inspects the store.",
  async run([name, ...args]) {
    if (name === undefined || name === "help" || name === "--help" || name === "-h") {
      process.stdout.write(usage());
      return name === undefined ? 2 : 0;
    }
    const subcommand = subcommands.find((candidate) => candidate.name === name);
    if (!subcommand) {
      const meant = nearest(
        name,
        subcommands.map((candidate) => candidate.name),
      );
      throw new FlagError(
        `there is no "coxswain store ${name}". ${meant ? `Did you mean ${meant}?` : 'Try "coxswain store help".'}`,
      );
    }
    return runSubcommand(subcommand, args);
  },
};

async function runSubcommand(subcommand: Subcommand, args: readonly string[]): Promise<number> {
  const { name, takes, summary, description = summary, words } = subcommand;
  const flags = defineFlags({ ...subcommand.flags, ...targetFlags, ...helpFlag });
  const parsed = parseFlags(flags, args);
  const usageOf = `coxswain store ${name}${takes ? ` ${takes}` : ""} [flags]`;
  if (parsed.kind === "help") {
    process.stdout.write(formatHelp(flags, { usage: usageOf, description }));
    return 0;
  }
  const { rest } = parsed;
  if (rest.length < words.min || rest.length > words.max)
    throw new FlagError(
      `${rest.length < words.min ? `${name} needs ${takes}` : `${name} does not take ${JSON.stringify(rest[words.max])}`}. Usage: ${usageOf}`,
    );
  const stop = new AbortController();
  void untilSignal().then(() => stop.abort(new Error("interrupted")));
  return subcommand.run({
    options: parsed.options,
    given: parsed.given,
    target: targetFrom(parsed.options, parsed.given),
    words: rest,
    signal: stop.signal,
  });
}
