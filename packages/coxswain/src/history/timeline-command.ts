import { writeFileSync } from "node:fs";
import { defineFlags, FlagError } from "@coxswain/component/flags";
import { timelinePage, timelineText } from "@coxswain/testkit/timeline";
import { defineHistoryCommand } from "./history-call.js";
import { type Change, readChanges } from "./history-group.js";
import { gapLines, parsePointInTime, revisionOf } from "./point-in-time.js";
import { timelineEntries } from "./timeline-entries.js";

/** More make a page that no browser likes. */
const mostChanges = 5000;

export const timelineCommand = defineHistoryCommand({
  name: "history timeline",
  takes: "",
  description: "Shows who wrote what when, and which reconcile that woke: as text, or as one HTML page.",
  flags: defineFlags({
    since: { group: "Moments", type: "string", default: "10m", value: "moment", help: "From then on." },
    html: { group: "Output", type: "string", value: "file", help: "Write a page to this file, instead of text." },
    "all-namespaces": { group: "Cluster", type: "boolean", short: "A", help: "Of all namespaces, and cluster-wide." },
  }),
  async run({ client, namespace, options, print, now }) {
    const since = parsePointInTime(options.since, now());
    // A history that is younger is shown from its beginning.
    const after = await revisionOf(client, since).catch((error: unknown) => {
      if (error instanceof FlagError) return 0;
      throw error;
    });
    const changes: Change[] = [];
    for await (const change of readChanges(client, { namespace: options.allNamespaces ? "" : namespace })) {
      if (change.revision <= after || changes.length >= mostChanges) break;
      changes.push(change);
    }
    const entries = timelineEntries(changes.toReversed());
    if (options.html === undefined) {
      print(timelineText(entries));
      for (const line of await gapLines(client, { after })) print(line);
    } else {
      writeFileSync(options.html, timelinePage(entries, { title: `changes since ${options.since}` }));
      print(`${options.html}: ${changes.length} changes`);
    }
    return 0;
  },
});
