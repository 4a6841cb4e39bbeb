import type { Node } from "@coxswain/api/core/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredNode = Stored<Node, "spec" | "status">;
