import type { PodTemplate } from "@coxswain/api/core/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredPodTemplate = Stored<PodTemplate, "template">;
