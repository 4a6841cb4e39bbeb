import type { ReplicationController } from "@coxswain/api/core/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredReplicationController = Stored<ReplicationController, "spec" | "status">;
