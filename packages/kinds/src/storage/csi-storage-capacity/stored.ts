import type { CSIStorageCapacity } from "@coxswain/api/storage/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredCsiStorageCapacity = Stored<CSIStorageCapacity>;
