import type { AnyKind } from "../definition/kind-definition.js";
import { runtimeClassKind } from "./runtime-class/kind.js";

export const nodeKinds: readonly AnyKind[] = [runtimeClassKind];
