import { defineFlags } from "@coxswain/component/flags";
import { withAccess } from "./open-access.js";
import { formatSize, printJson, printPairs } from "./print.js";
import { defineSubcommand } from "./subcommand.js";

export const outputFlag = defineFlags({
  output: {
    group: "Output",
    type: "string",
    short: "o",
    default: "text",
    choices: ["text", "json"],
    help: "Text for people, JSON for programs.",
  },
});

export const statusSubcommand = defineSubcommand({
  name: "status",
  takes: "",
  summary: "Shows the state of the store: its revision, its keys, its size.",
  flags: outputFlag,
  words: { min: 0, max: 0 },
  run: ({ options, target }) =>
    withAccess(target, async ({ store, pid }) => {
      const status = await store.status();
      if (options.output === "json") {
        printJson(pid === undefined ? status : { ...status, pid });
        return 0;
      }
      printPairs([
        ["Engine", status.engine],
        ["Served by", pid === undefined ? "nobody" : `pid ${pid}`],
        ["Revision", String(status.revision)],
        ["Compacted revision", String(status.compactedRevision)],
        ["Keys", String(status.keys)],
        [
          "Size",
          status.engine === "memory" ? "in memory" : `${formatSize(status.sizeBytes)} (${status.sizeBytes} bytes)`,
        ],
        ["Writes", status.readOnly === undefined ? "yes" : `no: ${status.readOnly}`],
      ]);
      return 0;
    }),
});
