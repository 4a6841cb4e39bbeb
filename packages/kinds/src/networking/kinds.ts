import type { AnyKind } from "../definition/kind-definition.js";
import { ingressKind } from "./ingress/kind.js";
import { ingressClassKind } from "./ingress-class/kind.js";
import { ipAddressKind } from "./ip-address/kind.js";
import { networkPolicyKind } from "./network-policy/kind.js";
import { serviceCidrKind } from "./service-cidr/kind.js";

export const networkingKinds: readonly AnyKind[] = [
  ingressKind,
  ingressClassKind,
  ipAddressKind,
  networkPolicyKind,
  serviceCidrKind,
];
