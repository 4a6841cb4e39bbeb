import { type Flag, optionName } from "@coxswain/component/flags";
import type { ControllerSettings } from "@coxswain/controllers";

/**
 * Flags that are passed on to controllers as they are, by the member of their settings. They have no defaults here: what is not
 * given is the controllers' own default, which is upstream's.
 */
interface SettingRow {
  readonly flag: string;
  readonly type: "integer" | "number" | "duration" | "boolean";
  readonly member: keyof ControllerSettings;
  readonly help: string;
}

const rows: readonly SettingRow[] = [
  {
    flag: "enable-garbage-collector",
    type: "boolean",
    member: "isGarbageCollectorEnabled",
    help: "Delete what depends on owners that are gone. Default: true.",
  },
  {
    flag: "max-endpoints-per-slice",
    type: "integer",
    member: "maxEndpointsPerSlice",
    help: "The most endpoints of an EndpointSlice. Default: 100.",
  },
  {
    flag: "endpoint-updates-batch-period",
    type: "duration",
    member: "endpointUpdatesBatchPeriodMs",
    help: "For how long changes are collected before Endpoints are written.",
  },
  {
    flag: "endpointslice-updates-batch-period",
    type: "duration",
    member: "endpointSliceUpdatesBatchPeriodMs",
    help: "The same for EndpointSlices.",
  },
  {
    flag: "mirroring-max-endpoints-per-subset",
    type: "integer",
    member: "mirroringMaxEndpointsPerSubset",
    help: "The most addresses of a subset of Endpoints that are mirrored. Default: 1000.",
  },
  {
    flag: "mirroring-endpointslice-updates-batch-period",
    type: "duration",
    member: "mirroringEndpointSliceUpdatesBatchPeriodMs",
    help: "For how long changes of mirrored EndpointSlices are collected.",
  },
  {
    flag: "node-monitor-grace-period",
    type: "duration",
    member: "nodeMonitorGracePeriodMs",
    help: "How long a node may be silent before it counts as unreachable. Default: 50s.",
  },
  {
    flag: "node-startup-grace-period",
    type: "duration",
    member: "nodeStartupGracePeriodMs",
    help: "The same for a node that never reported. Default: 1m.",
  },
  {
    flag: "node-eviction-rate",
    type: "number",
    member: "nodeEvictionRate",
    help: "Nodes a second, in each zone, whose pods are made to leave. Default: 0.1.",
  },
  {
    flag: "secondary-node-eviction-rate",
    type: "number",
    member: "secondaryNodeEvictionRate",
    help: "The same in a large zone of which much fails. Default: 0.01.",
  },
  {
    flag: "large-cluster-size-threshold",
    type: "integer",
    member: "largeClusterSizeThreshold",
    help: "A zone with more nodes is large. Default: 50.",
  },
  {
    flag: "unhealthy-zone-threshold",
    type: "number",
    member: "unhealthyZoneThreshold",
    help: "The share of a zone's nodes, at least three, that is much. Default: 0.55.",
  },
  {
    flag: "legacy-service-account-token-clean-up-period",
    type: "duration",
    member: "legacyTokenCleanUpPeriodMs",
    help: "Generated tokens that were not used for so long are removed. Default: 8760h.",
  },
  {
    flag: "pvclaimbinder-sync-period",
    type: "duration",
    member: "claimBinderSyncPeriodMs",
    help: "When volumes that could not be reclaimed are tried again. Default: 15s.",
  },
  {
    flag: "enable-dynamic-provisioning",
    type: "boolean",
    member: "isDynamicProvisioningEnabled",
    help: "Let provisioners make volumes for claims. Default: true.",
  },
  {
    flag: "enable-hostpath-provisioner",
    type: "boolean",
    member: "isHostPathProvisioningEnabled",
    help: "Make directories of this machine into volumes, for tests.",
  },
  {
    flag: "disable-force-detach-on-timeout",
    type: "boolean",
    member: "isForceDetachOnTimeoutDisabled",
    help: "Never take a volume from a node that is not ready, however long it is to be detached.",
  },
  {
    flag: "terminated-pod-gc-threshold",
    type: "integer",
    member: "terminatedPodThreshold",
    help: "From so many terminated pods on the oldest are deleted; 0: never. Default: 12500.",
  },
  {
    flag: "resource-quota-sync-period",
    type: "duration",
    member: "resourceQuotaSyncPeriodMs",
    help: "Each quota is computed anew at least so often. Default: 5m.",
  },
  {
    flag: "horizontal-pod-autoscaler-sync-period",
    type: "duration",
    member: "autoscalerSyncPeriodMs",
    help: "How often each autoscaler is looked at. Default: 15s.",
  },
  {
    flag: "horizontal-pod-autoscaler-downscale-stabilization",
    type: "duration",
    member: "autoscalerDownscaleStabilizationMs",
    help: "Nothing is scaled below what was recommended within this time. Default: 5m.",
  },
  {
    flag: "horizontal-pod-autoscaler-tolerance",
    type: "number",
    member: "autoscalerTolerance",
    help: "How far from its target usage may be, as a share. Default: 0.1.",
  },
  {
    flag: "horizontal-pod-autoscaler-cpu-initialization-period",
    type: "duration",
    member: "autoscalerCpuInitializationMs",
    help: "How long after a pod's start samples of its CPU may be skipped. Default: 5m.",
  },
  {
    flag: "horizontal-pod-autoscaler-initial-readiness-delay",
    type: "duration",
    member: "autoscalerInitialReadinessMs",
    help: "Changes of readiness so soon after a pod's start count as the first one. Default: 30s.",
  },
];

type SettingFlag = Extract<Flag, { readonly type: SettingRow["type"] }>;

export const settingFlags: Readonly<Record<string, SettingFlag>> = Object.fromEntries(
  rows.map(({ flag, type, help }) => [flag, { group: "Controllers", type, help } as SettingFlag]),
);

/** The settings that were given. */
export function givenSettings(options: object, given: ReadonlySet<string>): ControllerSettings {
  const values = new Map<string, unknown>(Object.entries(options));
  return Object.fromEntries(
    rows.flatMap(({ flag, member }) => (given.has(flag) ? [[member, values.get(optionName(flag))]] : [])),
  );
}
