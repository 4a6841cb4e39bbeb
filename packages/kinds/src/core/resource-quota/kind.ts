import type { ResourceQuota } from "@coxswain/api/core/v1";
import { builtInKind } from "../../built-in-kind.js";
import { roundUpResources } from "../../defaults/resource-list.js";
import type { Stored } from "../../stored.js";
import { resourceQuotaColumns } from "./columns.js";
import { resourceQuotaStatusStrategy, resourceQuotaStrategy } from "./strategy.js";

export type StoredResourceQuota = Stored<ResourceQuota, "spec" | "status">;

export const resourceQuotaKind = builtInKind<StoredResourceQuota>("", "v1", "resourcequotas", {
  typeDefaults: { "io.k8s.api.core.v1.ResourceList": roundUpResources },
  strategy: resourceQuotaStrategy,
  views: { status: resourceQuotaStatusStrategy },
  columns: resourceQuotaColumns,
  returnsDeletedObject: true,
});
