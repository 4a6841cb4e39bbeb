import type { VolumeAttributesClass } from "@coxswain/api/storage/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredVolumeAttributesClass = Stored<VolumeAttributesClass>;
