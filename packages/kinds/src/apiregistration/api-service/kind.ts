import { builtInKind } from "../../built-in/built-in-kind.js";
import { apiServiceColumns } from "./columns.js";
import type { StoredApiService } from "./stored.js";
import { apiServiceStatusStrategy, apiServiceStrategy } from "./strategy.js";

export type { StoredApiService };

export const apiServiceKind = builtInKind<StoredApiService>("apiregistration.k8s.io", "v1", "apiservices", {
  setDefaults({ spec }) {
    if (spec.service) spec.service.port ??= 443;
  },
  strategy: apiServiceStrategy,
  views: { status: apiServiceStatusStrategy },
  columns: apiServiceColumns,
});
