import type { ControllerRevision } from "@coxswain/api/apps/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { controllerRevisionColumns } from "./columns.js";
import { checkControllerRevision, checkControllerRevisionUpdate } from "./validation.js";

export type StoredControllerRevision = Stored<ControllerRevision>;

export const controllerRevisionKind = builtInKind<StoredControllerRevision>("apps", "v1", "controllerrevisions", {
  strategy: { resetFields: [], validateCreate: checkControllerRevision, validateUpdate: checkControllerRevisionUpdate },
  views: {},
  columns: controllerRevisionColumns,
});
