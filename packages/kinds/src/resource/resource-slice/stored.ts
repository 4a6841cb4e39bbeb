import type { ResourceSlice } from "@coxswain/api/resource/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredResourceSlice = Stored<ResourceSlice, "spec">;
