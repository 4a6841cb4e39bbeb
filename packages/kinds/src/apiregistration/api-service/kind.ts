import type { APIService } from "@coxswain/api/apiregistration/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { apiServiceColumns } from "./columns.js";
import { apiServiceStatusStrategy, apiServiceStrategy } from "./strategy.js";

export type StoredApiService = Stored<APIService, "spec" | "status">;

export const apiServiceKind = builtInKind<StoredApiService>("apiregistration.k8s.io", "v1", "apiservices", {
  setDefaults({ spec }) {
    if (spec.service) spec.service.port ??= 443;
  },
  strategy: apiServiceStrategy,
  views: { status: apiServiceStatusStrategy },
  columns: apiServiceColumns,
});
