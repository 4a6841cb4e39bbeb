import type { ResourceClaimTemplate } from "@coxswain/api/resource/v1";
import type { Stored } from "../../stored.js";

export type StoredResourceClaimTemplate = Stored<ResourceClaimTemplate, "spec">;
