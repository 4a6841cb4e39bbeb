import type { AnyKind } from "../kind-definition.js";
import { priorityClassKind } from "./priority-class/kind.js";

export const schedulingKinds: readonly AnyKind[] = [priorityClassKind];
