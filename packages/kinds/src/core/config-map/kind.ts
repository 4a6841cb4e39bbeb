import type { ConfigMap } from "@coxswain/api/core/v1";
import { builtInFacts } from "../../built-in-kind.js";
import { defineKind } from "../../kind-definition.js";
import type { Stored } from "../../stored.js";
import { configMapColumns } from "./columns.js";
import { checkConfigMap, checkConfigMapUpdate } from "./validation.js";

export type StoredConfigMap = Stored<ConfigMap>;

export const configMapKind = defineKind<StoredConfigMap>({
  ...builtInFacts("", "v1", "configmaps"),
  strategy: { resetFields: [], validateCreate: checkConfigMap, validateUpdate: checkConfigMapUpdate },
  views: {},
  columns: configMapColumns,
});
