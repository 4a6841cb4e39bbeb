import { resolve } from "node:path";
import { writeBackup } from "@coxswain/storage/backup";
import { withAccess } from "./open-access.js";
import { formatSize } from "./print.js";
import { createProgress } from "./progress.js";
import { defineSubcommand } from "./subcommand.js";

export const backupSubcommand = defineSubcommand({
  name: "backup",
  takes: "FILE",
  summary: "Writes all that the store holds at one revision to a file.",
  description:
    "Writes all that the store holds at one revision to a file, while the server goes on. The file appears when it is complete; one of that name is replaced. Values are written as they are stored: what is encrypted at rest stays so.",
  flags: {},
  words: { min: 1, max: 1 },
  run: ({ target, words, signal }) =>
    withAccess(target, async ({ store }) => {
      const progress = createProgress("Backing up");
      try {
        const { revision, keys, bytes } = await writeBackup(store, {
          file: resolve(words[0]!),
          signal,
          onProgress: progress.show,
        });
        progress.end();
        process.stdout.write(`Wrote ${words[0]}: ${keys} keys at revision ${revision}, ${formatSize(bytes)}.\n`);
        return 0;
      } finally {
        progress.end();
      }
    }),
});
