import { builtInKind } from "../../built-in/built-in-kind.js";
import { serviceAccountColumns } from "./columns.js";
import type { StoredServiceAccount } from "./stored.js";
import { serviceAccountStrategy } from "./strategy.js";

export type { StoredServiceAccount };

export const serviceAccountKind = builtInKind<StoredServiceAccount>("", "v1", "serviceaccounts", {
  strategy: serviceAccountStrategy,
  views: {},
  columns: serviceAccountColumns,
  returnsDeletedObject: true,
});
