import { defineFlags } from "@coxswain/component/flags";
import { withAccess } from "./open-access.js";
import { defineSubcommand } from "./subcommand.js";

export const compactSubcommand = defineSubcommand({
  name: "compact",
  takes: "",
  summary: "Forgets history: what keys were before a revision.",
  description:
    "Forgets history: what keys were before a revision. What is there stays. Watches that want to resume from an earlier revision begin anew. The server does this by itself; the room is used again.",
  flags: defineFlags({
    revision: {
      group: "Compaction",
      type: "integer",
      min: 1,
      help: "Keep what was from this revision on. Default: the newest, so that no history is left.",
    },
  }),
  words: { min: 0, max: 0 },
  run: ({ options, target }) =>
    withAccess(target, async ({ store }) => {
      const before = await store.status();
      const revision = options.revision ?? before.revision;
      await store.compact(revision);
      process.stdout.write(
        revision <= before.compactedRevision
          ? `Nothing to do: history before revision ${before.compactedRevision} was forgotten already.\n`
          : `Forgot what was before revision ${revision}.\n`,
      );
      return 0;
    }),
});
