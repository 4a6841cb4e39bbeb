import type { PodTemplate } from "@coxswain/api/core/v1";
import type { Stored } from "../../stored.js";

export type StoredPodTemplate = Stored<PodTemplate, "template">;
