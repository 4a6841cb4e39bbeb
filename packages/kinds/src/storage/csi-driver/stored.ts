import type { CSIDriver } from "@coxswain/api/storage/v1";
import type { Stored } from "../../stored.js";

export type StoredCsiDriver = Stored<CSIDriver, "spec">;
