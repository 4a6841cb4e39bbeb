import { defineFlags } from "@coxswain/component/flags";
import type { HistoryEntry } from "@coxswain/storage";
import { fullKey } from "./get.js";
import { withAccess } from "./open-access.js";
import { printJson, printTable } from "./print.js";
import { showValue, valueAsData } from "./show-value.js";
import { outputFlag } from "./status.js";
import { defineSubcommand } from "./subcommand.js";

export const historySubcommand = defineSubcommand({
  name: "history",
  takes: "KEY",
  summary: "Shows who changed a key, and when, newest first.",
  description:
    "Shows who changed a key, and when, newest first, back to the compaction. etcd does not keep who and when.",
  flags: defineFlags({
    limit: { group: "Output", type: "integer", default: 0, min: 0, help: "At most so many changes; 0: all." },
    values: { group: "Output", type: "boolean", help: "Show what was written, too." },
    ...outputFlag,
  }),
  words: { min: 1, max: 1 },
  run: ({ options, target, words }) =>
    withAccess(target, async ({ store }) => {
      const key = fullKey(words[0]!);
      const entries = await store.history(key, options.limit > 0 ? { limit: options.limit } : {});
      if (entries.length === 0) {
        process.stderr.write(`coxswain store history: nothing is known of ${key}\n`);
        return 1;
      }
      if (options.output === "json") printJson(entries.map((entry) => asData(entry, options.values)));
      else if (options.values)
        for (const entry of entries)
          process.stdout.write(
            `${row(entry)
              .filter((cell) => cell !== "-")
              .join("  ")}\n${entry.value ? `${showValue(entry.value)}\n` : ""}\n`,
          );
      else printTable(["REVISION", "TIME", "CHANGE", "VERB", "USER", "MANAGER", "BYTES"], entries.map(row));
      return 0;
    }),
});

const row = ({ revision, type, note, value, unreadable }: HistoryEntry): string[] => [
  String(revision),
  note ? timeOf(note.time) : "-",
  type,
  note?.verb || "-",
  note?.user || "-",
  note?.manager || "-",
  value ? String(value.length) : unreadable ? "damaged" : "-",
];

const asData = ({ revision, type, note, value, unreadable }: HistoryEntry, values: boolean): unknown => ({
  revision,
  type,
  ...(unreadable && { unreadable: unreadable.message }),
  ...(note && { ...note, time: timeOf(note.time) }),
  ...(values && value ? { value: valueAsData(value) } : {}),
});

const timeOf = (ms: number): string => new Date(ms).toISOString();
