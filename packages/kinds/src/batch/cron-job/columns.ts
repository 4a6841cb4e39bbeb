import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { containerCells } from "../../printing/containers.js";
import { none, selectorText } from "../../printing/labels.js";
import type { StoredCronJob } from "./stored.js";

const truth = (value: boolean | undefined): string => (value === undefined ? "<unset>" : value ? "True" : "False");

export const cronJobColumns: ColumnSet<StoredCronJob> = {
  columns: [
    nameColumn,
    column("Schedule", "string", "When it starts jobs."),
    column("Timezone", "string", "By which clock."),
    column("Suspend", "boolean", "Whether it starts none for now."),
    column("Active", "integer", "How many of its jobs run."),
    column("Last Schedule", "string", "How long ago it last started one."),
    ageColumn,
    column("Containers", "string", "The containers of its pods.", 1),
    column("Images", "string", "Their images.", 1),
    column("Selector", "string", "Which pods its jobs count as their own.", 1),
  ],
  cells: ({ metadata, spec, status }, now) => [
    metadata.name ?? "",
    spec.schedule,
    spec.timeZone ?? none,
    truth(spec.suspend),
    (status.active ?? []).length,
    status.lastScheduleTime ? age(status.lastScheduleTime, now) : none,
    age(metadata.creationTimestamp, now),
    ...containerCells(spec.jobTemplate.spec?.template.spec?.containers),
    selectorText(spec.jobTemplate.spec?.selector),
  ],
};
