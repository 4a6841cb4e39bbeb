import { builtInKind } from "../../built-in/built-in-kind.js";
import { controllerRevisionColumns } from "./columns.js";
import type { StoredControllerRevision } from "./stored.js";
import { checkControllerRevision, checkControllerRevisionUpdate } from "./validation.js";

export type { StoredControllerRevision };

export const controllerRevisionKind = builtInKind<StoredControllerRevision>("apps", "v1", "controllerrevisions", {
  strategy: { resetFields: [], validateCreate: checkControllerRevision, validateUpdate: checkControllerRevisionUpdate },
  views: {},
  columns: controllerRevisionColumns,
});
