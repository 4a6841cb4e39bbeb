import type { ControllerRevision } from "@coxswain/api/apps/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredControllerRevision = Stored<ControllerRevision>;
