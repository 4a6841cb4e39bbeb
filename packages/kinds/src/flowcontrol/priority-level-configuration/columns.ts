import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { none } from "../../printing/labels.js";
import type { StoredPriorityLevelConfiguration } from "./stored.js";

export const priorityLevelConfigurationColumns: ColumnSet<StoredPriorityLevelConfiguration> = {
  columns: [
    nameColumn,
    column("Type", "string", "Whether its requests are limited."),
    column("NominalConcurrencyShares", "string", "Its share of all requests at once."),
    column("Queues", "string", "In how many queues requests wait."),
    column("HandSize", "string", "Among how many queues a flow chooses."),
    column("QueueLengthLimit", "string", "How many requests a queue holds."),
    ageColumn,
  ],
  cells({ metadata, spec: { type, limited } }, now) {
    const queuing = limited?.limitResponse?.queuing;
    return [
      metadata.name ?? "",
      type,
      limited ? (limited.nominalConcurrencyShares ?? 0) : none,
      queuing ? (queuing.queues ?? 0) : none,
      queuing ? (queuing.handSize ?? 0) : none,
      queuing ? (queuing.queueLengthLimit ?? 0) : none,
      age(metadata.creationTimestamp, now),
    ];
  },
};
