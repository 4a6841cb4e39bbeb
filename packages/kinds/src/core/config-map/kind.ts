import type { ConfigMap } from "@coxswain/api/core/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { configMapColumns } from "./columns.js";
import { checkConfigMap, checkConfigMapUpdate } from "./validation.js";

export type StoredConfigMap = Stored<ConfigMap>;

export const configMapKind = builtInKind<StoredConfigMap>("", "v1", "configmaps", {
  strategy: { resetFields: [], validateCreate: checkConfigMap, validateUpdate: checkConfigMapUpdate },
  views: {},
  columns: configMapColumns,
});
