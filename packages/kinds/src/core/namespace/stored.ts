import type { Namespace } from "@coxswain/api/core/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredNamespace = Stored<Namespace, "spec" | "status">;
