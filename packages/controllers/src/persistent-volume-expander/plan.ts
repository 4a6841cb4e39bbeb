import type { PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import { parseQuantity, type Quantity } from "@coxswain/apimachinery/quantity";
import type { RecordedEvent } from "@coxswain/client/events";
import { preResizeCapacity } from "../volumes/annotations.js";
import type { CachedClaim, CachedVolume } from "../volumes/cached-volumes.js";
import { migratedDriver, migratedPluginOf } from "../volumes/csi-migration.js";

type Amounts = Readonly<Record<string, string>> | undefined;

const storageOf = (amounts: Amounts): Quantity => parseQuantity(getOwn(amounts, "storage") ?? "0");
const requestOf = ({ spec }: CachedClaim): Quantity => storageOf(spec?.resources?.requests);
const capacityOf = ({ status }: CachedClaim): Quantity => storageOf(status?.capacity);

/** Pure: whether a change of a bound claim may ask for more, or report that it was given. */
export const mayExpand = (old: CachedClaim, claim: CachedClaim): boolean =>
  requestOf(claim).compare(requestOf(old)) > 0 || capacityOf(claim).compare(capacityOf(old)) > 0;

export type ExpandPlan =
  | { readonly kind: "nothing" }
  | { readonly kind: "notBound" }
  /** A driver's resizer does it; `resizer` is noted on the claim where it is known. */
  | { readonly kind: "external"; readonly event: RecordedEvent; readonly resizer?: string }
  /** The node is done: what the volume remembered of its old size goes. */
  | { readonly kind: "forgetOldSize" }
  /** The volume gets its new size; the node makes its file system larger. */
  | { readonly kind: "expand"; readonly resizer: string; readonly size: string; readonly isFileSystem: boolean }
  /** It has it; what failed on the node may be tried again. */
  | { readonly kind: "expandOnNode" };

/** Pure: how a claim that asks for more than it has is made larger. Only FlexVolumes are expanded without a resizer. */
export function planExpansion(claim: CachedClaim, volume: CachedVolume): ExpandPlan {
  const { namespace, uid } = volume.spec?.claimRef ?? {};
  if (!uid || uid !== claim.metadata?.uid || namespace !== claim.metadata.namespace) return { kind: "notBound" };
  const hasOldSize = getOwn(volume.metadata?.annotations, preResizeCapacity) !== undefined;
  if (requestOf(claim).compare(capacityOf(claim)) <= 0 && !hasOldSize) return { kind: "nothing" };
  const plugin = migratedPluginOf(volume);
  const resizer = plugin && migratedDriver(plugin);
  if (plugin && resizer) {
    const message = `CSI migration enabled for ${plugin}; waiting for external resizer to expand the pvc`;
    return { kind: "external", event: { type: "Normal", reason: "ExternalExpanding", message }, resizer };
  }
  if (volume.spec?.flexVolume) return planFlexVolume(claim, volume, hasOldSize);
  const message = "waiting for an external controller to expand this PVC";
  return { kind: "external", event: { type: "Normal", reason: "ExternalExpanding", message } };
}

function planFlexVolume(claim: CachedClaim, volume: CachedVolume, hasOldSize: boolean): ExpandPlan {
  const [request, capacity, size] = [requestOf(claim), capacityOf(claim), storageOf(volume.spec?.capacity)];
  if (hasOldSize && capacity.compare(request) >= 0 && capacity.compare(size) >= 0) return { kind: "forgetOldSize" };
  const progress = getOwn(claim.status?.allocatedResourceStatuses, "storage") ?? "";
  const allocated = getOwn(claim.status?.allocatedResources, "storage");
  const isExpanded = size.compare(request) >= 0;
  if (isExpanded && (progress === "NodeResizeInProgress" || progress === "NodeResizePending"))
    return { kind: "nothing" };
  if (isExpanded && progress === "NodeResizeInfeasible") return { kind: "expandOnNode" };
  // What was begun is brought to its end, also when less or more is asked for since.
  const isBegun = isExpanded
    ? progress === "" || progress === "ControllerResizeInProgress" || progress === "ControllerResizeInfeasible"
    : progress !== "" && progress !== "ControllerResizeInfeasible";
  return {
    kind: "expand",
    resizer: volume.spec?.flexVolume?.driver ?? "",
    size: (isBegun ? allocated : undefined) ?? request.toString(),
    isFileSystem: volume.spec?.volumeMode !== "Block",
  };
}

type ClaimStatus = NonNullable<PersistentVolumeClaim["status"]>;
type Condition = NonNullable<ClaimStatus["conditions"]>[number];

const resizeConditions: readonly string[] = [
  "FileSystemResizePending",
  "Resizing",
  "ControllerResizeError",
  "NodeResizeError",
];

/** Pure: with the condition, and without others about resizing unless they are kept. One that does not change keeps its time. */
function withCondition(
  conditions: readonly Condition[] = [],
  added: Condition | undefined,
  { isKept }: { isKept: boolean },
): Condition[] {
  const before = added && conditions.find(({ type }) => type === added.type);
  const others = conditions.filter(({ type }) => type !== added?.type && (isKept || !resizeConditions.includes(type)));
  return added ? [...others, before?.status === added.status ? before : added] : others;
}

/** Pure: the status while the controller makes the volume larger. */
export const expandingStatus = (status: ClaimStatus | undefined, size: string, now: string): ClaimStatus => ({
  ...status,
  allocatedResources: { ...status?.allocatedResources, storage: size },
  allocatedResourceStatuses: { ...status?.allocatedResourceStatuses, storage: "ControllerResizeInProgress" },
  conditions: withCondition(
    status?.conditions,
    { type: "Resizing", status: "True", lastTransitionTime: now },
    { isKept: false },
  ),
});

/** Pure: the status while the node has yet to make the file system larger. */
export const nodePendingStatus = (status: ClaimStatus | undefined, now: string): ClaimStatus => ({
  ...status,
  allocatedResourceStatuses: { ...status?.allocatedResourceStatuses, storage: "NodeResizePending" },
  conditions: withCondition(
    status?.conditions,
    {
      type: "FileSystemResizePending",
      status: "True",
      lastTransitionTime: now,
      message: "Waiting for user to (re-)start a pod to finish file system resize of volume on node.",
    },
    { isKept: true },
  ),
});

/** Pure: the status of a claim that has what it asked for. */
export function expandedStatus(status: ClaimStatus | undefined, size: string): ClaimStatus {
  const { allocatedResourceStatuses, conditions, ...rest } = status ?? {};
  const { storage: _, ...others } = allocatedResourceStatuses ?? {};
  return {
    ...rest,
    capacity: { ...rest.capacity, storage: size },
    ...(Object.keys(others).length > 0 && { allocatedResourceStatuses: others }),
    conditions: withCondition(conditions, undefined, { isKept: false }),
  };
}
