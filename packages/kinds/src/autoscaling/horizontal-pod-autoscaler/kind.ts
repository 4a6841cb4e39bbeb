import type { HorizontalPodAutoscaler } from "@coxswain/api/autoscaling/v2";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { horizontalPodAutoscalerColumns } from "./columns.js";
import { setHorizontalPodAutoscalerDefaults } from "./defaults.js";
import { horizontalPodAutoscalerStatusStrategy, horizontalPodAutoscalerStrategy } from "./strategy.js";
import { horizontalPodAutoscalerVersionOne } from "./version-one/version-one.js";

export type StoredHorizontalPodAutoscaler = Stored<HorizontalPodAutoscaler, "spec" | "status">;

export const horizontalPodAutoscalerKind = builtInKind<StoredHorizontalPodAutoscaler>(
  "autoscaling",
  "v2",
  "horizontalpodautoscalers",
  {
    setDefaults: setHorizontalPodAutoscalerDefaults,
    strategy: horizontalPodAutoscalerStrategy,
    views: { status: horizontalPodAutoscalerStatusStrategy },
    columns: horizontalPodAutoscalerColumns,
    versions: [horizontalPodAutoscalerVersionOne],
  },
);
