import type { CSIDriver } from "@coxswain/api/storage/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredCsiDriver = Stored<CSIDriver, "spec">;
