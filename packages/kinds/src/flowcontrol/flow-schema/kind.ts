import { builtInKind } from "../../built-in/built-in-kind.js";
import { countGeneration, keep } from "../../definition/keep.js";
import { statusView } from "../status-view.js";
import { flowSchemaColumns } from "./columns.js";
import type { StoredFlowSchema } from "./stored.js";
import { checkFlowSchema } from "./validation.js";

export type { StoredFlowSchema };

export const flowSchemaKind = builtInKind<StoredFlowSchema>("flowcontrol.apiserver.k8s.io", "v1", "flowschemas", {
  setDefaults: ({ spec }) => void (spec.matchingPrecedence ||= 1000),
  strategy: {
    resetFields: [["status"]],
    prepareForCreate(schema) {
      schema.status = {};
      schema.metadata.generation = 1;
    },
    validateCreate: checkFlowSchema,
    prepareForUpdate(schema, old) {
      countGeneration(schema, old, "spec");
      keep(schema, old, "status");
    },
    validateUpdate: checkFlowSchema,
  },
  views: { status: statusView<StoredFlowSchema>() },
  columns: flowSchemaColumns,
});
