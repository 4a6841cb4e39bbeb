import { pathText } from "@coxswain/apimachinery/object";
import type { Client } from "@coxswain/client";
import { defineFlags } from "@coxswain/component/flags";
import { isJsonWanted, outputFlags } from "../command/output-flag.js";
import { defineHistoryCommand } from "./history-call.js";
import { askHistory, type Change, changesPath, readChanges } from "./history-group.js";
import { type Difference, differenceOf, type Touched, touchedObjects } from "./plan-diff.js";
import { gapLines, mustReach, parsePointInTime, revisionOf } from "./point-in-time.js";

/** Objects that are asked for at the same time. */
const atOnce = 16;

export const diffCommand = defineHistoryCommand({
  name: "history diff",
  takes: "--from MOMENT [--to MOMENT]",
  description: "Shows what differs between two moments: 10m (ago), 14:05, a time, a revision such as r99, or now.",
  flags: defineFlags({
    from: { group: "Moments", type: "string", default: "10m", value: "moment", help: "The earlier moment." },
    to: { group: "Moments", type: "string", default: "now", value: "moment", help: "The later one." },
    status: { group: "Output", type: "boolean", help: "Also what differs in the status of objects only." },
    "all-namespaces": { group: "Cluster", type: "boolean", short: "A", help: "Of all namespaces, and cluster-wide." },
    ...outputFlags,
  }),
  async run({ client, namespace, options, print, now }) {
    const [from, to] = await Promise.all(
      [options.from, options.to].map((text) => revisionOf(client, parsePointInTime(text, now()))),
    );
    await mustReach(client, from!);
    const changes: Change[] = [];
    for await (const change of readChanges(client, { namespace: options.allNamespaces ? "" : namespace })) {
      if (change.revision <= from!) break;
      if (change.revision <= to!) changes.push(change);
    }
    const touched = touchedObjects(changes);
    const found: Difference[] = [];
    for (let start = 0; start < touched.length; start += atOnce) {
      const slice = touched.slice(start, start + atOnce);
      const differences = await Promise.all(slice.map((each) => compare(client, each, options.status)));
      for (const difference of differences) if (difference) found.push(difference);
    }
    if (isJsonWanted(options)) print(JSON.stringify(found, undefined, 2));
    else for (const line of [...linesOf(found), ...(await gapLines(client, { after: from!, to: to! }))]) print(line);
    return 0;
  },
});

async function compare(client: Client, { first, last }: Touched, withStatus: boolean): Promise<Difference | undefined> {
  const { object } = last;
  // Values that are not kept: that it changed is all that is known.
  if (last.valuesWithheld)
    return first.type === "Created" && last.type === "Deleted"
      ? undefined
      : { object, is: last.type === "Deleted" ? "gone" : first.type === "Created" ? "new" : "changed", paths: [] };
  const [before, after] = await Promise.all([stateOf(client, first, "Before"), stateOf(client, last, "After")]);
  return differenceOf(object, { before, after, withStatus });
}

async function stateOf(client: Client, { metadata }: Change, side: "Before" | "After"): Promise<unknown> {
  const shown = await askHistory<Change>(client, {
    method: "GET",
    path: `${changesPath(metadata.namespace ?? "")}/${metadata.name}`,
    query: [["includeObject", side]],
  });
  return side === "Before" ? shown.before : shown.after;
}

const signs = { changed: "~", new: "+", gone: "-" };

function linesOf(found: readonly Difference[]): string[] {
  const count = (is: Difference["is"]): number => found.filter((each) => each.is === is).length;
  return [
    ...found.flatMap(({ object: { kind, namespace, name }, is, paths }) => [
      `${signs[is]} ${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`,
      ...paths.map((path) => `    ${pathText(path)}`),
    ]),
    `${count("changed")} changed, ${count("new")} new, ${count("gone")} gone`,
  ];
}
