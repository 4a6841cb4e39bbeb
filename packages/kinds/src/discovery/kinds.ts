import type { AnyKind } from "../definition/kind-definition.js";
import { endpointSliceKind } from "./endpoint-slice/kind.js";

export const discoveryKinds: readonly AnyKind[] = [endpointSliceKind];
