import { parseTimeMs } from "@coxswain/apimachinery/time";
import type { TimelineEntry, WorkEntry, WriteEntry } from "@coxswain/testkit/timeline";
import type { Change } from "./history-group.js";

const verbs = { Created: "create", Updated: "update", DeletionRequested: "update", Deleted: "delete" } as const;

/** Pure: changes and the work that made them, as the timeline of the test kit has them. */
export function timelineEntries(changes: readonly Change[]): TimelineEntry[] {
  const works = new Map<string, WorkEntry & { wrote: number[] }>();
  for (const { revision, causes = [] } of changes) {
    const [cause] = causes;
    if (cause?.certainty !== "exact" && cause?.certainty !== "claimed") continue;
    const { queue, item, began = "", revisions } = cause;
    const key = [queue, item, began, revisions.join()].join(" ");
    const known = works.get(key);
    if (known) known.wrote.push(revision);
    else
      works.set(key, {
        is: "work",
        time: parseTimeMs(began) ?? 0,
        queue,
        item,
        wokenBy: revisions,
        wrote: [revision],
        after: revision - 1,
      });
  }
  const writes = changes.map(writeEntry);
  const place = (entry: TimelineEntry): number => (entry.is === "write" ? entry.revision : entry.after + 0.5);
  return [...writes, ...works.values()].sort((a, b) => place(a) - place(b));
}

function writeEntry({ revision, metadata, user, verb, manager, type, object, paths }: Change): WriteEntry {
  const name = object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`;
  return {
    is: "write",
    revision,
    time: parseTimeMs(metadata.creationTimestamp ?? "") ?? 0,
    writer: user ?? "server",
    verb: verb ?? verbs[type],
    ...(manager !== undefined && { manager }),
    change: verbs[type],
    object: `${object.kind} ${name}`,
    kind: object.kind,
    changes: paths,
  };
}
