import { builtInKind } from "../../built-in/built-in-kind.js";
import { roundUpResources } from "../../defaults/resource-list.js";
import { createdAtColumns } from "../../definition/created-at-columns.js";
import { setLimitDefaults } from "./defaults.js";
import type { StoredLimitRange } from "./stored.js";
import { checkLimitRange } from "./validation.js";

export type { StoredLimitRange };

export const limitRangeKind = builtInKind<StoredLimitRange>("", "v1", "limitranges", {
  typeDefaults: {
    "io.k8s.api.core.v1.LimitRangeItem": setLimitDefaults,
    "io.k8s.api.core.v1.ResourceList": roundUpResources,
  },
  strategy: {
    resetFields: [],
    namedByUuid: true,
    validateCreate: checkLimitRange,
    validateUpdate: checkLimitRange,
    allowCreateOnUpdate: true,
  },
  views: {},
  columns: createdAtColumns,
});
