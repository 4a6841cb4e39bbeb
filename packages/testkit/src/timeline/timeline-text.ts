import { type ChangedPath, shortUser } from "@coxswain/apimachinery/object";
import type { TimelineEntry, WorkEntry, WriteEntry } from "./timeline-entry.js";

/** Each write on a line with what it changed, and below it the reconciles that it woke. */
export function timelineText(entries: readonly TimelineEntry[]): string {
  const woken = new Map<number, WorkEntry[]>();
  for (const entry of entries)
    if (entry.is === "work") for (const revision of entry.wokenBy) append(woken, revision, entry);
  const writers = entries.map((entry) => (entry.is === "write" ? shortUser(entry.writer).length : 0));
  const width = Math.min(
    48,
    writers.reduce((most, length) => Math.max(most, length), 0),
  );
  const lines: string[] = [];
  let last: number | undefined;
  for (const entry of entries) {
    if (entry.is === "work") continue;
    const time = entry.time === last ? " ".repeat(24) : new Date(entry.time).toISOString();
    last = entry.time;
    lines.push(`${time}  ${shortUser(entry.writer).padEnd(width)}  ${describe(entry)}`);
    const works = woken.get(entry.revision);
    if (works) lines.push(`${" ".repeat(28 + width)}woke ${works.map(workText).join(", ")}`);
  }
  return lines.join("\n");
}

const workText = ({ queue, item, wrote }: WorkEntry): string =>
  `${queue} ${item}${wrote.length === 0 ? "" : ` (wrote ${wrote.map((revision) => `@${revision}`).join(", ")})`}`;

function append(map: Map<number, WorkEntry[]>, key: number, entry: WorkEntry): void {
  const list = map.get(key);
  if (list) list.push(entry);
  else map.set(key, [entry]);
}

function describe({ verb, object, revision, changes, change }: WriteEntry): string {
  const what = change === "update" ? summary(changes) : "";
  return `${verb.padEnd(6)} ${object} @${revision}${what === "" ? "" : `: ${what}`}`;
}

const shownChanges = 4;

function summary(changes: readonly ChangedPath[]): string {
  const texts = changes.slice(0, shownChanges).map(({ path, before, after }) => {
    if (after === undefined) return `-${path}`;
    return before === undefined ? `+${path}=${short(after)}` : `${path} ${short(before)} → ${short(after)}`;
  });
  if (changes.length > shownChanges) texts.push(`and ${changes.length - shownChanges} more`);
  return texts.join(", ");
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
