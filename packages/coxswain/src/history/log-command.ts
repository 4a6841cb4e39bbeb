import { changeText, pathText, shortUser } from "@coxswain/apimachinery/object";
import { humanDuration, parseTimeMs } from "@coxswain/apimachinery/time";
import { defineFlags } from "@coxswain/component/flags";
import { isJsonWanted, outputFlags } from "../command/output-flag.js";
import { tableLines } from "../store/print.js";
import { defineHistoryCommand } from "./history-call.js";
import { type Change, readChanges } from "./history-group.js";
import { fieldsOf, namedObject } from "./object-argument.js";
import { gapLines } from "./point-in-time.js";

/** `coxswain history deploy/web`: what git log is to a file. */
export const logCommand = defineHistoryCommand({
  name: "history",
  takes: "[KIND/NAME]",
  description:
    "Shows who changed an object, when, and what, newest first. Without an object: all changes of the namespace.\n\n" +
    "Also: coxswain history diff, restore and timeline; each has --help.",
  flags: defineFlags({
    patch: { group: "Output", type: "boolean", short: "p", help: "Show every member that differs." },
    path: {
      group: "Output",
      type: "string",
      value: "path",
      help: "Only changes of this member, such as spec.replicas.",
    },
    limit: { group: "Output", type: "integer", default: 50, min: 0, help: "At most so many changes; 0: all." },
    "all-namespaces": { group: "Cluster", type: "boolean", short: "A", help: "Of all namespaces, and cluster-wide." },
    ...outputFlags,
  }),
  async run({ client, namespace, options, words, print, now }) {
    const object = words.length > 0 ? await namedObject({ client, namespace }, words) : undefined;
    const fields = { ...(object && fieldsOf(object)), ...(options.path !== undefined && { path: options.path }) };
    const where = object ? object.namespace : options.allNamespaces ? "" : namespace;
    const found: Change[] = [];
    for await (const change of readChanges(client, { namespace: where, fields })) {
      found.push(change);
      if (found.length === options.limit) break;
    }
    if (isJsonWanted(options)) print(JSON.stringify(found, undefined, 2));
    else {
      if (found.length === 0) print(`nothing is known of ${words.join(" ") || "changes"} in the history`);
      else
        for (const line of linesOf(found, { isPatch: options.patch, isOne: object !== undefined, now: now() }))
          print(line);
      // Down to where the list ends: what is missing further back is not asked for.
      const after = found.length === options.limit ? (found.at(-1)?.revision ?? 0) : 0;
      for (const line of await gapLines(client, { after })) print(line);
    }
    return found.length === 0 ? 1 : 0;
  },
});

interface LogForm {
  readonly isPatch: boolean;
  /** All of one object. */
  readonly isOne: boolean;
  readonly now: number;
}

function linesOf(changes: readonly Change[], { isPatch, isOne, now }: LogForm): string[] {
  const row = (change: Change): string[] => {
    const { user = "", manager = "", subresource = "", object, metadata } = change;
    const time = parseTimeMs(metadata.creationTimestamp ?? "");
    return [
      metadata.name,
      time === undefined ? "-" : humanDuration(now - time),
      ...(isOne ? [] : [`${object.kind}/${object.name}`]),
      shortUser(user) || "-",
      subresource || manager || "-",
      changeText(change),
    ];
  };
  if (!isPatch)
    return tableLines(["REV", "AGE", ...(isOne ? [] : ["OBJECT"]), "WHO", "VIA", "CHANGED"], changes.map(row));
  return changes.flatMap((change) => [
    row(change).slice(0, -1).join("  "),
    ...(change.paths.length > 0 ? change.paths.map((path) => `    ${pathText(path)}`) : [`    ${changeText(change)}`]),
    "",
  ]);
}
