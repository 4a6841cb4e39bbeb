import type { AnyKind } from "../kind-definition.js";
import { leaseKind } from "./lease/kind.js";

export const coordinationKinds: readonly AnyKind[] = [leaseKind];
