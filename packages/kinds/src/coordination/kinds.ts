import type { AnyKind } from "../definition/kind-definition.js";
import { leaseKind } from "./lease/kind.js";

export const coordinationKinds: readonly AnyKind[] = [leaseKind];
