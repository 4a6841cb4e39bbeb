import { defineFlags } from "@coxswain/component/flags";
import type { KeyRecord } from "@coxswain/storage";
import type { StoreAccess } from "@coxswain/storage/socket";
import { withAccess } from "./open-access.js";
import { printJson } from "./print.js";
import { showValue, valueAsData } from "./show-value.js";
import { outputFlag } from "./status.js";
import { defineSubcommand } from "./subcommand.js";

const recordsPerPage = 200;

export const getSubcommand = defineSubcommand({
  name: "get",
  takes: "KEY|PREFIX",
  summary: "Shows a key with its value, or all keys that begin so.",
  description:
    "Shows a key with its value, or all keys that begin so: coxswain store get /registry/pods/default/web. What does not begin with a slash is looked for below /registry/.",
  flags: defineFlags({
    "keys-only": { group: "Output", type: "boolean", help: "Leave out the values." },
    limit: { group: "Output", type: "integer", default: 0, min: 0, help: "At most so many keys; 0: all." },
    revision: {
      group: "Output",
      type: "integer",
      default: 0,
      min: 0,
      help: "As it was at this revision, unless that has been compacted; 0: as it is now.",
    },
    ...outputFlag,
  }),
  words: { min: 1, max: 1 },
  run: ({ options, target, words }) =>
    withAccess(target, async ({ store }) => {
      const key = fullKey(words[0]!);
      const all: unknown[] = [];
      let found = 0;
      for await (const record of find(store, key, options)) {
        found += 1;
        if (options.output === "json") all.push(asData(record, options.keysOnly));
        else
          process.stdout.write(
            options.keysOnly
              ? `${record.key}\n`
              : `${found > 1 ? "\n" : ""}${record.key}  (revision ${record.revision}, version ${record.version})\n${shown(record)}\n`,
          );
      }
      if (options.output === "json") printJson(all);
      if (found > 0) return 0;
      process.stderr.write(`coxswain store get: no key begins with ${key}\n`);
      return 1;
    }),
});

export const fullKey = (word: string): string => (word.startsWith("/") ? word : `/registry/${word}`);

/** The key itself if it is there, else those that begin with it; page by page, all of one revision. */
async function* find(
  store: StoreAccess,
  key: string,
  { keysOnly, limit, revision }: { keysOnly: boolean; limit: number; revision: number },
): AsyncGenerator<KeyRecord, void> {
  const exact = await store.get(key, { at: revision });
  if (exact) return yield exact;
  let at = revision;
  let start = key;
  for (let left = limit > 0 ? limit : Number.POSITIVE_INFINITY; left > 0; ) {
    const page = await store.range({ prefix: key, start, at, keysOnly, limit: Math.min(left, recordsPerPage) });
    yield* page.records;
    if (!page.more) return;
    at = page.revision;
    left -= page.records.length;
    start = `${page.records.at(-1)!.key}\u0000`;
  }
}

const shown = ({ value, unreadable }: KeyRecord): string =>
  unreadable === undefined ? showValue(value) : `(${unreadable.message})`;

const asData = (
  { key, revision, createRevision, version, value, unreadable }: KeyRecord,
  keysOnly: boolean,
): unknown => ({
  key,
  revision,
  createRevision,
  version,
  ...(unreadable === undefined ? {} : { unreadable: unreadable.message }),
  ...(keysOnly || unreadable !== undefined ? {} : { value: valueAsData(value) }),
});
