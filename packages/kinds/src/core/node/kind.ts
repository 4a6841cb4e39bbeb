import { builtInKind } from "../../built-in/built-in-kind.js";
import { roundUpResources } from "../../defaults/resource-list.js";
import { nodeColumns } from "./columns.js";
import { setNodeDefaults } from "./defaults.js";
import type { StoredNode } from "./stored.js";
import { nodeStatusStrategy, nodeStrategy } from "./strategy.js";

export type { StoredNode };

export const nodeKind = builtInKind<StoredNode>("", "v1", "nodes", {
  setDefaults: setNodeDefaults,
  typeDefaults: { "io.k8s.api.core.v1.ResourceList": roundUpResources },
  strategy: nodeStrategy,
  views: { status: nodeStatusStrategy },
  columns: nodeColumns,
  selectableValues: ({ spec }) => ({ "spec.unschedulable": String(spec.unschedulable ?? false) }),
});
