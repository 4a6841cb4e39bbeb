import type { AnyKind } from "../definition/kind-definition.js";
import { deviceClassKind } from "./device-class/kind.js";
import { resourceClaimKind } from "./resource-claim/kind.js";
import { resourceClaimTemplateKind } from "./resource-claim-template/kind.js";
import { resourceSliceKind } from "./resource-slice/kind.js";

export const resourceKinds: readonly AnyKind[] = [
  deviceClassKind,
  resourceClaimKind,
  resourceClaimTemplateKind,
  resourceSliceKind,
];
