import { defineFlags, formatHelp, parseFlags } from "@coxswain/component/flags";
import { type HistoryCommand, type HistoryPlace, historyFlags, openPlace } from "./history-call.js";

/** Reads the flags of a command, finds the cluster and runs it. `place`: a cluster that was found already. */
export async function runHistoryCommand(
  command: HistoryCommand,
  args: readonly string[],
  place?: HistoryPlace,
): Promise<number> {
  const flags = defineFlags({ ...historyFlags, ...command.flags });
  const parsed = parseFlags(flags, args);
  if (parsed.kind === "help") {
    const usage = `coxswain ${command.name} ${command.takes} [flags]`;
    process.stdout.write(formatHelp(flags, { usage, description: command.description }));
    return 0;
  }
  const { options, rest } = parsed;
  // A command with a flag of the same name asks about that user, not as that user.
  const { as: _as, asGroup: _groups, ...others } = options;
  const at = place ?? openPlace("as" in command.flags ? { ...others, as: undefined, asGroup: [] } : options);
  try {
    return await command.run({
      ...at,
      namespace: options.namespace ?? at.namespace,
      options,
      words: rest,
    });
  } finally {
    if (!place) await at.client.close();
  }
}
