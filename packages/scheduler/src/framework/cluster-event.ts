/** What happened to a kind of object, as bits: an event may match several. */
export const actions = {
  add: 1 << 0,
  delete: 1 << 1,
  updateNodeAllocatable: 1 << 2,
  updateNodeLabel: 1 << 3,
  /** Taints, or spec.unschedulable. */
  updateNodeTaint: 1 << 4,
  updateNodeCondition: 1 << 5,
  updateNodeAnnotation: 1 << 6,
  updateNodeDeclaredFeature: 1 << 7,
  updatePodLabel: 1 << 8,
  /** Some request became smaller. */
  updatePodScaleDown: 1 << 9,
  updatePodToleration: 1 << 10,
  /** The last scheduling gate is gone. */
  updatePodSchedulingGatesEliminated: 1 << 11,
  updatePodGeneratedResourceClaim: 1 << 12,
  /** Any change of an object. */
  update: ((1 << 13) - 1) & ~3,
  all: (1 << 13) - 1,
} as const;

export type EventResource =
  | "Pod"
  | "AssignedPod"
  | "UnschedulablePod"
  | "Node"
  | "PersistentVolume"
  | "PersistentVolumeClaim"
  | "CSINode"
  | "CSIDriver"
  | "CSIStorageCapacity"
  | "StorageClass"
  | "VolumeAttachment"
  | "ResourceClaim"
  | "ResourceSlice"
  | "DeviceClass"
  | "*";

export interface ClusterEvent {
  readonly resource: EventResource;
  /** Bits of `actions`. */
  readonly action: number;
  /** What metrics call it. */
  readonly label: string;
}

const names: readonly (readonly [number, string])[] = [
  [actions.add, "Add"],
  [actions.delete, "Delete"],
  [actions.update, "Update"],
  [actions.updateNodeAllocatable, "UpdateNodeAllocatable"],
  [actions.updateNodeLabel, "UpdateNodeLabel"],
  [actions.updateNodeTaint, "UpdateNodeTaint"],
  [actions.updateNodeCondition, "UpdateNodeCondition"],
  [actions.updateNodeAnnotation, "UpdateNodeAnnotation"],
  [actions.updateNodeDeclaredFeature, "UpdateNodeDeclaredFeature"],
  [actions.updatePodLabel, "UpdatePodLabel"],
  [actions.updatePodScaleDown, "UpdatePodScaleDown"],
  [actions.updatePodToleration, "UpdatePodToleration"],
  [actions.updatePodSchedulingGatesEliminated, "UpdatePodSchedulingGatesEliminated"],
  [actions.updatePodGeneratedResourceClaim, "UpdatePodGeneratedResourceClaim"],
  [actions.all, "All"],
];

export const clusterEvent = (resource: EventResource, action: number): ClusterEvent => ({
  resource,
  action,
  label: `${resource}${names.find(([bits]) => bits === action)?.[1] ?? ""}`,
});

export const events = {
  assignedPodAdd: clusterEvent("AssignedPod", actions.add),
  assignedPodDelete: clusterEvent("AssignedPod", actions.delete),
  unscheduledPodAdd: clusterEvent("UnschedulablePod", actions.add),
  unscheduledPodUpdate: clusterEvent("UnschedulablePod", actions.update),
  nodeAdd: clusterEvent("Node", actions.add),
  nodeDelete: clusterEvent("Node", actions.delete),
  /** A pod was unschedulable for so long that it is tried again whatever happened. */
  unschedulableTimeout: { resource: "*", action: actions.all, label: "UnschedulableTimeout" },
  forceActivate: { resource: "*", action: actions.all, label: "ForceActivate" },
} as const satisfies Record<string, ClusterEvent>;

export const isWildcard = (event: ClusterEvent): boolean => event.resource === "*" && event.action === actions.all;

/** Whether something that happened is among what a plugin waits for. */
export const eventMatches = (awaited: ClusterEvent, happened: ClusterEvent): boolean =>
  isWildcard(awaited) ||
  (resourceMatches(awaited.resource, happened.resource) &&
    (awaited.action & happened.action) !== 0 &&
    happened.action <= awaited.action);

const resourceMatches = (awaited: EventResource, happened: EventResource): boolean =>
  awaited === "*" ||
  awaited === happened ||
  (awaited === "Pod" && (happened === "AssignedPod" || happened === "UnschedulablePod"));
