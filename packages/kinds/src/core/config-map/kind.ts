import { builtInKind } from "../../built-in/built-in-kind.js";
import { configMapColumns } from "./columns.js";
import type { StoredConfigMap } from "./stored.js";
import { checkConfigMap, checkConfigMapUpdate } from "./validation.js";

export type { StoredConfigMap };

export const configMapKind = builtInKind<StoredConfigMap>("", "v1", "configmaps", {
  strategy: { resetFields: [], validateCreate: checkConfigMap, validateUpdate: checkConfigMapUpdate },
  views: {},
  columns: configMapColumns,
});
