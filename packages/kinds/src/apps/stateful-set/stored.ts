import type { StatefulSet } from "@coxswain/api/apps/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredStatefulSet = Stored<StatefulSet, "spec" | "status">;
