import type { ReplicaSet } from "@coxswain/api/apps/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredReplicaSet = Stored<ReplicaSet, "spec" | "status">;
