import type { VolumeAttachment } from "@coxswain/api/storage/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredVolumeAttachment = Stored<VolumeAttachment, "spec" | "status">;
