import { diffCommand } from "./diff-command.js";
import type { HistoryCommand, HistoryPlace } from "./history-call.js";
import { logCommand } from "./log-command.js";
import { restoreCommand } from "./restore-command.js";
import { runHistoryCommand } from "./run-history-command.js";
import { timelineCommand } from "./timeline-command.js";

const subcommands: Readonly<Record<string, HistoryCommand>> = {
  diff: diffCommand,
  restore: restoreCommand,
  timeline: timelineCommand,
};

/** `coxswain history`, and kubectl-history. */
export function runHistory(args: readonly string[], place?: HistoryPlace): Promise<number> {
  const at = args[0] === "--kubectl-plugin" ? 1 : 0;
  const word = args[at] ?? "";
  const subcommand = Object.hasOwn(subcommands, word) ? subcommands[word] : undefined;
  if (!subcommand) return runHistoryCommand(logCommand, args, place);
  return runHistoryCommand(subcommand, args.toSpliced(at, 1), place);
}
