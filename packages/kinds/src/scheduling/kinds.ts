import type { AnyKind } from "../definition/kind-definition.js";
import { priorityClassKind } from "./priority-class/kind.js";

export const schedulingKinds: readonly AnyKind[] = [priorityClassKind];
