import { changedPaths } from "@coxswain/apimachinery/object";
import type { RecordedWork } from "@coxswain/client/work";
import type { LogEntry } from "@coxswain/storage/memory";
import type { TimelineEntry, WorkEntry, WriteEntry } from "./timeline-entry.js";
import { writesOfWorks } from "./writes-of-works.js";

export interface TimelineOptions {
  /** What is older is left out, in milliseconds since 1970. @default since the cluster was ready */
  readonly since?: number;
  /** Also Event objects, heartbeats of nodes and reconciles that no shown write woke. @default false */
  readonly all?: boolean;
}

export interface TimelineSources {
  readonly log: readonly LogEntry[];
  readonly works: readonly RecordedWork[];
  /** Changes up to this revision are the cluster's own beginning. */
  readonly afterRevision: number;
}

/** Pure: writes and reconciles in their order. */
export function buildTimeline(
  { log, works, afterRevision }: TimelineSources,
  { since, all = false }: TimelineOptions = {},
): TimelineEntry[] {
  const isShown = (time: number, revision: number): boolean =>
    since === undefined ? revision > afterRevision : time >= since;
  const writes = writesOf(log).filter((write) => isShown(write.time, write.revision) && (all || !isNoise(write)));
  const revisions = new Set(writes.map(({ revision }) => revision));
  const wrote = writesOfWorks(log, works);
  const reconciles = works
    .map((work) => workEntry(work, { shown: revisions, wrote: wrote.get(work) ?? [] }))
    .filter(({ time, after, wokenBy }) => isShown(time, after) && (all || wokenBy.length > 0));
  return [...writes, ...reconciles].sort(
    (a, b) => a.time - b.time || placeOf(a) - placeOf(b) || Number(a.is === "work") - Number(b.is === "work"),
  );
}

const placeOf = (entry: TimelineEntry): number => (entry.is === "write" ? entry.revision : entry.after);

interface StoredObject {
  readonly kind?: string;
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}

function writesOf(log: readonly LogEntry[]): WriteEntry[] {
  const values = new Map<string, StoredObject>();
  const writes: WriteEntry[] = [];
  let time = 0;
  for (const { key, revision, value, note } of log) {
    const before = values.get(key);
    const after = value && parse(value);
    if (after) values.set(key, after);
    else values.delete(key);
    const object = after ?? before;
    time = note?.time ?? time;
    if (object?.metadata === undefined) continue; // no object, but a record of the server's own
    writes.push({
      is: "write",
      revision,
      time,
      writer: note?.user ?? "server",
      verb: note?.verb ?? (after ? "update" : "delete"),
      ...(note?.manager !== undefined && { manager: note.manager }),
      change: after === undefined ? "delete" : before === undefined ? "create" : "update",
      object: nameOf(object),
      kind: object.kind ?? "",
      changes: before && after ? changedPaths(before, after) : [],
    });
  }
  return writes;
}

function parse(value: Uint8Array): StoredObject | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(value)) as StoredObject;
  } catch {
    return undefined; // encrypted, or in another form: its writer is shown without its content
  }
}

function nameOf({ kind = "object", metadata: { namespace, name = "" } = {} }: StoredObject): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** What happens all the time. */
const isNoise = ({ kind, writer, changes, change }: WriteEntry): boolean =>
  kind === "Event" ||
  (writer.startsWith("system:node:") &&
    (kind === "Lease" ||
      (kind === "Node" && change === "update" && changes.every(({ path }) => path.endsWith("lastHeartbeatTime")))));

function workEntry(
  { queue, item, began, beganAfter, ended, causes }: RecordedWork,
  { shown, wrote }: { readonly shown: ReadonlySet<number>; readonly wrote: readonly number[] },
): WorkEntry {
  const wokenBy = [...new Set(causes.map(({ resourceVersion }) => resourceVersion))].filter((each) => shown.has(each));
  return {
    is: "work",
    time: began,
    ...(ended !== undefined && { ended }),
    queue: queue === "" ? "work queue" : queue,
    item,
    wokenBy,
    wrote: [...new Set(wrote)].filter((each) => shown.has(each)),
    after: beganAfter,
  };
}
