import type { Node } from "@coxswain/api/core/v1";
import type { AdmissionPlugin } from "./admission.js";

const key = "node.kubernetes.io/not-ready";
const effect = "NoSchedule";

/** A new node is not ready before its kubelet reports it: no pod may be faster than the controller that taints it. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  operations: ["CREATE"],
  admit({ kind, subresource, object }) {
    if (kind.group !== "" || kind.kind !== "Node" || subresource !== "") return;
    const spec = ((object as Node).spec ??= {});
    const taints = (spec.taints ??= []);
    if (!taints.some((taint) => taint.key === key && taint.effect === effect)) taints.push({ key, effect });
  },
};
