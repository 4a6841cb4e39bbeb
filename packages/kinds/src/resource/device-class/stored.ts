import type { DeviceClass } from "@coxswain/api/resource/v1";
import type { Stored } from "../../stored.js";

export type StoredDeviceClass = Stored<DeviceClass, "spec">;
