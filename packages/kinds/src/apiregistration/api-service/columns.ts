import type { DeepReadonly } from "@coxswain/api";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import type { StoredApiService } from "./stored.js";

export const apiServiceColumns: ColumnSet<StoredApiService> = {
  columns: [
    nameColumn,
    column("Service", "string", "Who serves it."),
    column("Available", "string", "Whether it answers."),
    ageColumn,
  ],
  cells: (service, now) => [
    service.metadata.name ?? "",
    service.spec.service ? `${service.spec.service.namespace ?? ""}/${service.spec.service.name ?? ""}` : "Local",
    availability(service),
    age(service.metadata.creationTimestamp, now),
  ],
};

function availability({ status }: DeepReadonly<StoredApiService>): string {
  const condition = status.conditions?.find(({ type }) => type === "Available");
  if (!condition) return "Unknown";
  return condition.status !== "True" && condition.reason
    ? `${condition.status} (${condition.reason})`
    : condition.status;
}
