import type { ReplicaSet } from "@coxswain/api/apps/v1";
import type { Stored } from "../../stored.js";

export type StoredReplicaSet = Stored<ReplicaSet, "spec" | "status">;
