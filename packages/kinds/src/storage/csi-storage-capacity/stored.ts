import type { CSIStorageCapacity } from "@coxswain/api/storage/v1";
import type { Stored } from "../../stored.js";

export type StoredCsiStorageCapacity = Stored<CSIStorageCapacity>;
