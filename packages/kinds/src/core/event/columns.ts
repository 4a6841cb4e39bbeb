import type { DeepReadonly } from "@coxswain/api";
import { age } from "../../definition/age.js";
import { type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import type { StoredEvent } from "./stored.js";

export const eventColumns: ColumnSet<StoredEvent> = {
  columns: [
    column("Last Seen", "string", "How long ago it was last observed."),
    column("Type", "string", "Normal, or a warning."),
    column("Reason", "string", "Why it was reported, in one word."),
    column("Object", "string", "What it is about."),
    column("Subobject", "string", "The part of the object that it is about.", 1),
    column("Source", "string", "Who reported it.", 1),
    column("Message", "string", "What happened."),
    column("First Seen", "string", "How long ago it was first observed.", 1),
    column("Count", "string", "How often it was observed.", 1),
    { ...nameColumn, priority: 1 },
  ],
  cells(event, now) {
    const { metadata, involvedObject: object, type = "", reason = "", message = "" } = event;
    const seen = times(event, now);
    const kind = (object.kind ?? "").toLowerCase();
    return [
      seen.last,
      type,
      reason,
      object.name ? `${kind}/${object.name}` : kind,
      object.fieldPath ?? "",
      source(event),
      message.trim(),
      seen.first,
      count(event),
      metadata.name ?? "",
    ];
  },
};

function times(
  { firstTimestamp, lastTimestamp, eventTime, series }: DeepReadonly<StoredEvent>,
  now: number,
): { first: string; last: string } {
  const first = age(firstTimestamp ?? eventTime, now);
  if (series) return { first, last: age(series.lastObservedTime, now) };
  return { first, last: lastTimestamp ? age(lastTimestamp, now) : first };
}

const count = ({ series, count: counted }: DeepReadonly<StoredEvent>): number =>
  series ? (series.count ?? 0) : counted || 1;

function source({
  source: { component, host } = {},
  reportingComponent,
  reportingInstance,
}: DeepReadonly<StoredEvent>): string {
  const [by, where] = [component || reportingComponent || "", host || reportingInstance || ""];
  return where === "" ? by : `${by}, ${where}`;
}
