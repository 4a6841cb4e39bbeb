import { builtInKind } from "../../built-in/built-in-kind.js";
import { csiDriverColumns } from "./columns.js";
import { setCsiDriverDefaults } from "./defaults.js";
import type { StoredCsiDriver } from "./stored.js";
import { csiDriverStrategy } from "./strategy.js";

export type { StoredCsiDriver };

export const csiDriverKind = builtInKind<StoredCsiDriver>("storage.k8s.io", "v1", "csidrivers", {
  setDefaults: setCsiDriverDefaults,
  strategy: csiDriverStrategy,
  views: {},
  columns: csiDriverColumns,
  returnsDeletedObject: true,
});
