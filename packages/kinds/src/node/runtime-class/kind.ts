import { builtInKind } from "../../built-in/built-in-kind.js";
import { roundUpResources } from "../../defaults/resource-list.js";
import { age } from "../../definition/age.js";
import { ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { StoredRuntimeClass } from "./stored.js";
import { checkRuntimeClass, checkRuntimeClassUpdate } from "./validation.js";
import { runtimeClassWarnings } from "./warnings.js";

export type { StoredRuntimeClass };

export const runtimeClassKind = builtInKind<StoredRuntimeClass>("node.k8s.io", "v1", "runtimeclasses", {
  typeDefaults: { "io.k8s.api.core.v1.ResourceList": roundUpResources },
  strategy: {
    resetFields: [],
    validateCreate: checkRuntimeClass,
    warningsOnCreate: runtimeClassWarnings,
    validateUpdate: checkRuntimeClassUpdate,
    warningsOnUpdate: runtimeClassWarnings,
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
  },
  views: {},
  columns: {
    columns: [nameColumn, column("Handler", "string", ""), ageColumn],
    cells: ({ metadata, handler }, now) => [metadata.name ?? "", handler, age(metadata.creationTimestamp, now)],
  },
});
