import type { SimulatedNetwork } from "@coxswain/apiserver";
import { simulatedCidrs } from "@coxswain/kubelet";
import { kubeletClientUser } from "./users/component-users.js";

/** Of an API server in whose process `startComponents` starts nodes. */
export const simulatedNetwork: SimulatedNetwork = {
  cidrs: Object.values(simulatedCidrs),
  kubeletClient: kubeletClientUser,
};
