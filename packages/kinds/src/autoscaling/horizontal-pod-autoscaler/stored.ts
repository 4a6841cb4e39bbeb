import type { HorizontalPodAutoscaler } from "@coxswain/api/autoscaling/v2";
import type { Stored } from "../../definition/stored.js";

export type StoredHorizontalPodAutoscaler = Stored<HorizontalPodAutoscaler, "spec" | "status">;
