import type { VolumeAttributesClass } from "@coxswain/api/storage/v1";
import type { Stored } from "../../stored.js";

export type StoredVolumeAttributesClass = Stored<VolumeAttributesClass>;
