import { builtInKind } from "../../built-in/built-in-kind.js";
import { age } from "../../definition/age.js";
import { ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { StoredPriorityClass } from "./stored.js";
import { checkPriorityClass, checkPriorityClassUpdate, isSystemClass } from "./validation.js";

export type { StoredPriorityClass };

export const priorityClassKind = builtInKind<StoredPriorityClass>("scheduling.k8s.io", "v1", "priorityclasses", {
  setDefaults: (priority) => void (priority.preemptionPolicy ??= "PreemptLowerPriority"),
  strategy: {
    resetFields: [],
    prepareForCreate: ({ metadata }) => void (metadata.generation = 1),
    validateCreate: checkPriorityClass,
    validateUpdate: checkPriorityClassUpdate,
  },
  views: {},
  refuseDeletion: (name) => (isSystemClass(name) ? "this is a system priority class and cannot be deleted" : undefined),
  columns: {
    columns: [
      nameColumn,
      column("Value", "integer", "The priority of its pods."),
      column("Global-Default", "boolean", "Whether pods of no class get it."),
      ageColumn,
      column("PreemptionPolicy", "string", "Whether its pods may push others out."),
    ],
    cells: ({ metadata, value = 0, globalDefault = false, preemptionPolicy = "" }, now) => [
      metadata.name ?? "",
      value,
      globalDefault,
      age(metadata.creationTimestamp, now),
      preemptionPolicy,
    ],
  },
});
