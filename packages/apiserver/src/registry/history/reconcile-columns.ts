import { humanDuration, parseTimeMs } from "@coxswain/apimachinery/time";
import { ageColumn, type ColumnSet, column, nameColumn } from "@coxswain/kinds";
import type { Reconcile } from "./reconcile-object.js";

export const reconcileColumns: ColumnSet<Reconcile> = {
  columns: [
    nameColumn,
    column("Component", "string", "The controller."),
    column("Queue", "string", "Its work queue."),
    column("Item", "string", "What is worked on."),
    column("State", "string", "Waiting, Running or Done."),
    column("Ms", "string", "How long it took, in milliseconds."),
    column("Retries", "integer", "How often the work on it failed before."),
    column("Woken By", "string", "The newest revision that woke it."),
    ageColumn,
  ],
  cells({ metadata, component, queue, item, state, ms, retries, wokenBy, since }, now) {
    const time = parseTimeMs(since);
    return [
      metadata.name ?? "",
      component,
      queue,
      item,
      state,
      ms === undefined ? "" : String(ms),
      retries,
      wokenBy.length === 0 ? "" : `r${wokenBy.at(-1)!.revision}`,
      time === undefined ? "<unknown>" : humanDuration(now - time),
    ];
  },
};
