import { builtInKind } from "../../built-in/built-in-kind.js";
import { roundUpResources } from "../../defaults/resource-list.js";
import { resourceQuotaColumns } from "./columns.js";
import type { StoredResourceQuota } from "./stored.js";
import { resourceQuotaStatusStrategy, resourceQuotaStrategy } from "./strategy.js";

export type { StoredResourceQuota };

export const resourceQuotaKind = builtInKind<StoredResourceQuota>("", "v1", "resourcequotas", {
  typeDefaults: { "io.k8s.api.core.v1.ResourceList": roundUpResources },
  strategy: resourceQuotaStrategy,
  views: { status: resourceQuotaStatusStrategy },
  columns: resourceQuotaColumns,
  returnsDeletedObject: true,
});
