import type { CSINode } from "@coxswain/api/storage/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredCsiNode = Stored<CSINode, "spec">;
