import type { DeviceClass } from "@coxswain/api/resource/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredDeviceClass = Stored<DeviceClass, "spec">;
