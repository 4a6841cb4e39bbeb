import { builtInKind } from "../../built-in/built-in-kind.js";
import { horizontalPodAutoscalerColumns } from "./columns.js";
import { setHorizontalPodAutoscalerDefaults } from "./defaults.js";
import type { StoredHorizontalPodAutoscaler } from "./stored.js";
import { horizontalPodAutoscalerStatusStrategy, horizontalPodAutoscalerStrategy } from "./strategy.js";
import { horizontalPodAutoscalerVersionOne } from "./version-one/version-one.js";

export type { StoredHorizontalPodAutoscaler };

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
