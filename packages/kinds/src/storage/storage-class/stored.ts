import type { StorageClass } from "@coxswain/api/storage/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredStorageClass = Stored<StorageClass>;
