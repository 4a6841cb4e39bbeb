import type { CSIDriver } from "@coxswain/api/storage/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { csiDriverColumns } from "./columns.js";
import { setCsiDriverDefaults } from "./defaults.js";
import { csiDriverStrategy } from "./strategy.js";

export type StoredCsiDriver = Stored<CSIDriver, "spec">;

export const csiDriverKind = builtInKind<StoredCsiDriver>("storage.k8s.io", "v1", "csidrivers", {
  setDefaults: setCsiDriverDefaults,
  strategy: csiDriverStrategy,
  views: {},
  columns: csiDriverColumns,
  returnsDeletedObject: true,
});
