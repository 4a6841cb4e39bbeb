import type { ReplicationController } from "@coxswain/api/core/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { podSpecDefaults } from "../pod-spec/defaults.js";
import { replicationControllerColumns } from "./columns.js";
import { setReplicationControllerDefaults } from "./defaults.js";
import { replicationControllerStatusStrategy, replicationControllerStrategy } from "./strategy.js";

export type StoredReplicationController = Stored<ReplicationController, "spec" | "status">;

export const replicationControllerKind = builtInKind<StoredReplicationController>("", "v1", "replicationcontrollers", {
  setDefaults: setReplicationControllerDefaults,
  typeDefaults: podSpecDefaults,
  strategy: replicationControllerStrategy,
  views: { status: replicationControllerStatusStrategy },
  columns: replicationControllerColumns,
  selectableValues: ({ status }) => ({ "status.replicas": String(status.replicas ?? 0) }),
});
