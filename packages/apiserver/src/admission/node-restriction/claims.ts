import type { PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { quoteGo } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { refuse } from "./refuse.js";
import type { Restriction } from "./restriction.js";

type StoredClaim = PersistentVolumeClaim & KubernetesObject;

/** A kubelet that has grown a volume reports that in the status, and changes nothing else. */
export const restrictClaims: Restriction = ({ gates }, node, attributes) => {
  if (attributes.subresource !== "status") throw refuse(attributes, "may only update PVC status");
  if (attributes.operation !== "UPDATE")
    throw refuse(attributes, `unexpected operation ${quoteGo(attributes.operation)}`);
  const recovers = gates.enabled("RecoverVolumeExpansionFailure");
  if (equalJson(rest(attributes.old as StoredClaim, recovers), rest(attributes.object as StoredClaim, recovers)))
    return;
  throw refuse(
    attributes,
    `node ${quoteGo(node)} is not allowed to update fields other than status.quantity and status.conditions`,
  );
};

/** What must stay as it is. */
function rest(
  { metadata: { resourceVersion: _version, managedFields: _fields, ...metadata }, status, ...others }: StoredClaim,
  recovers: boolean,
): object {
  const {
    capacity: _capacity,
    conditions: _conditions,
    allocatedResources,
    allocatedResourceStatuses,
    ...kept
  } = status ?? {};
  const allocated = recovers
    ? {}
    : {
        ...(allocatedResources && { allocatedResources }),
        ...(allocatedResourceStatuses && { allocatedResourceStatuses }),
      };
  return { ...others, metadata, status: { ...kept, ...allocated } };
}
