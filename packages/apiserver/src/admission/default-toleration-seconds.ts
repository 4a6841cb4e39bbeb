import type { Toleration } from "@coxswain/api/core/v1";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import { type AdmissionPlugin, isPodItself } from "./admission.js";

const taints = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/** How long a pod stays on a node that is not ready or out of reach, unless it has its own tolerations. */
const seconds = 300;

/** Every pod tolerates a failing node for a while. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  operations: ["CREATE", "UPDATE"],
  admit(attributes) {
    if (!isPodItself(attributes)) return;
    const { spec } = attributes.object as StoredPod;
    const own = spec.tolerations ?? [];
    const missing = taints.filter((taint) => !own.some((toleration) => covers(toleration, taint)));
    if (missing.length > 0)
      spec.tolerations = [
        ...own,
        ...missing.map(
          (key): Toleration => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: seconds }),
        ),
      ];
  },
};

/** A toleration without a key is for all taints, one without an effect for all effects. */
const covers = ({ key, effect }: Toleration, taint: string): boolean =>
  (!key || key === taint) && (!effect || effect === "NoExecute");
