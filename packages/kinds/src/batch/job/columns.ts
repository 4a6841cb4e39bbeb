import type { DeepReadonly } from "@coxswain/api";
import { humanDuration } from "@coxswain/apimachinery/time";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { containerCells } from "../../printing/containers.js";
import { selectorText } from "../../printing/labels.js";
import type { StoredJob } from "./stored.js";

export const jobColumns: ColumnSet<StoredJob> = {
  columns: [
    nameColumn,
    column("Status", "string", "Whether it runs, has ended, or waits."),
    column("Completions", "string", "How many of its pods have succeeded, of how many."),
    column("Duration", "string", "How long it has run."),
    ageColumn,
    column("Containers", "string", "The containers of its pods.", 1),
    column("Images", "string", "Their images.", 1),
    column("Selector", "string", "Which pods it counts as its own.", 1),
  ],
  cells: (job, now) => [
    job.metadata.name ?? "",
    statusText(job),
    completions(job),
    duration(job, now),
    age(job.metadata.creationTimestamp, now),
    ...containerCells(job.spec.template.spec?.containers),
    selectorText(job.spec.selector),
  ],
};

/** The first of these that holds. */
const states = [
  ["Complete", "Complete"],
  ["Failed", "Failed"],
  [undefined, "Terminating"],
  ["Suspended", "Suspended"],
  ["FailureTarget", "FailureTarget"],
  ["SuccessCriteriaMet", "SuccessCriteriaMet"],
] as const;

function statusText({ metadata, status }: DeepReadonly<StoredJob>): string {
  const holds = (type: string): boolean =>
    status.conditions?.find((condition) => condition.type === type)?.status === "True";
  return (
    states.find(([type]) => (type === undefined ? Boolean(metadata.deletionTimestamp) : holds(type)))?.[1] ?? "Running"
  );
}

function completions({ spec, status: { succeeded = 0 } }: DeepReadonly<StoredJob>): string {
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function duration({ status: { startTime, completionTime } }: DeepReadonly<StoredJob>, now: number): string {
  if (!startTime) return "";
  return humanDuration((completionTime ? Date.parse(completionTime) : now) - Date.parse(startTime));
}
