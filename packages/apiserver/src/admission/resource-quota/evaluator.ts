import type { Pod } from "@coxswain/api/core/v1";
import { isTerminating, type UsageEvaluator } from "@coxswain/api/quota";
import type { AdmissionAttributes } from "../admission.js";

/** What quotas count of one kind of object, and when. */
export interface QuotaEvaluator extends UsageEvaluator {
  /** Whether this write can change what is counted. */
  handles(attributes: AdmissionAttributes): boolean;
}

/** By `group/resource`, for kinds of which more is counted than how many there are. */
const handled: Readonly<Record<string, QuotaEvaluator["handles"]>> = {
  "/pods"({ operation, subresource, object, old }) {
    if (subresource === "resize") return operation === "UPDATE";
    if (subresource !== "") return false;
    return (
      operation === "CREATE" || (operation === "UPDATE" && isTerminating(object as Pod) !== isTerminating(old as Pod))
    );
  },
  // A change of type counts as much as a new service.
  "/services": isWrite,
  // Of the status too: how much is allocated counts when it is more than what is asked for.
  "/persistentvolumeclaims": (attributes) => isWrite(attributes) || attributes.subresource === "status",
  "resource.k8s.io/resourceclaims": isWrite,
};

function isWrite({ operation, subresource }: AdmissionAttributes): boolean {
  return subresource === "" && (operation === "CREATE" || operation === "UPDATE");
}

const isCreation = ({ operation, subresource }: AdmissionAttributes): boolean =>
  operation === "CREATE" && subresource === "";

/** With the writes that matter to it. */
export const withHandled = (resource: string, evaluator: UsageEvaluator): QuotaEvaluator => ({
  ...evaluator,
  handles: handled[resource] ?? isCreation,
});
