import { getOwn, ownKeys } from "@coxswain/apimachinery/own";
import { compareUtf8 } from "@coxswain/apimachinery/validation";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import type { StoredResourceQuota } from "./stored.js";

const isLimit = (name: string): boolean => name.startsWith("limits.");

export const resourceQuotaColumns: ColumnSet<StoredResourceQuota> = {
  columns: [
    nameColumn,
    column("Request", "string", "Of requests and counts: how much is used of what is allowed."),
    column("Limit", "string", "Of limits: how much is used of what is allowed."),
    ageColumn,
  ],
  cells({ metadata, status: { hard, used } }, now) {
    const usage = (names: readonly string[]): string =>
      names.map((name) => `${name}: ${getOwn(used, name) ?? "0"}/${getOwn(hard, name)}`).join(", ");
    const names = ownKeys(hard).sort(compareUtf8);
    return [
      metadata.name ?? "",
      usage(names.filter((name) => !isLimit(name))),
      usage(names.filter(isLimit)),
      age(metadata.creationTimestamp, now),
    ];
  },
};
