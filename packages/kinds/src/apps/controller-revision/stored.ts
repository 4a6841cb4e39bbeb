import type { ControllerRevision } from "@coxswain/api/apps/v1";
import type { Stored } from "../../stored.js";

export type StoredControllerRevision = Stored<ControllerRevision>;
