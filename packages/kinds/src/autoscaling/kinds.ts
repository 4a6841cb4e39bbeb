import type { AnyKind } from "../definition/kind-definition.js";
import { horizontalPodAutoscalerKind } from "./horizontal-pod-autoscaler/kind.js";

export const autoscalingKinds: readonly AnyKind[] = [horizontalPodAutoscalerKind];
