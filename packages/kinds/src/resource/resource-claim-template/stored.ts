import type { ResourceClaimTemplate } from "@coxswain/api/resource/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredResourceClaimTemplate = Stored<ResourceClaimTemplate, "spec">;
