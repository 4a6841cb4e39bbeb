import { builtInKind } from "../../built-in/built-in-kind.js";
import { podSpecDefaults } from "../../pod-spec/defaults.js";
import { replicationControllerColumns } from "./columns.js";
import { setReplicationControllerDefaults } from "./defaults.js";
import type { StoredReplicationController } from "./stored.js";
import { replicationControllerStatusStrategy, replicationControllerStrategy } from "./strategy.js";

export type { StoredReplicationController };

export const replicationControllerKind = builtInKind<StoredReplicationController>("", "v1", "replicationcontrollers", {
  setDefaults: setReplicationControllerDefaults,
  typeDefaults: podSpecDefaults,
  strategy: replicationControllerStrategy,
  views: { status: replicationControllerStatusStrategy },
  columns: replicationControllerColumns,
  selectableValues: ({ status }) => ({ "status.replicas": String(status.replicas ?? 0) }),
});
