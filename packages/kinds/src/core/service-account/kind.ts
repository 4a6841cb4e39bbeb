import type { ServiceAccount } from "@coxswain/api/core/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { serviceAccountColumns } from "./columns.js";
import { serviceAccountStrategy } from "./strategy.js";

export type StoredServiceAccount = Stored<ServiceAccount>;

export const serviceAccountKind = builtInKind<StoredServiceAccount>("", "v1", "serviceaccounts", {
  strategy: serviceAccountStrategy,
  views: {},
  columns: serviceAccountColumns,
  returnsDeletedObject: true,
});
