import type { AutoscalingSettings } from "./autoscaling-settings.js";
import type { CertificateSigningSettings } from "./certificate-signing-settings.js";
import type { HostPaths } from "./host-paths.js";
import type { NodeIpamSettings } from "./node-ipam-settings.js";
import type { RecyclerSettings } from "./recycler-settings.js";
import type { RootCa } from "./root-ca.js";

/** The controllers' settings of kube-controller-manager's flags; defaults are its defaults. Controllers add members as they need them. */
export interface ControllerSettings extends AutoscalingSettings {
  /** --concurrent-*-syncs by controller name: how many keys are worked on at once. @default upstream's default of the controller */
  readonly concurrency?: Readonly<Record<string, number>>;
  /**
   * Between the deletion of a namespace and that of its content, in milliseconds: time for other API servers to learn of it.
   * Where there is a single one, 0 will do. @default 5,000
   */
  readonly namespaceDeletionGraceMs?: number;
  /** --root-ca-file: the certificates that pods verify the API server by. @default none: the published bundle is empty */
  readonly rootCa?: RootCa;
  /** --max-endpoints-per-slice: an EndpointSlice has so many endpoints at most. @default 100 */
  readonly maxEndpointsPerSlice?: number;
  /** --mirroring-max-endpoints-per-subset: so many addresses of a subset of Endpoints are mirrored. @default 1,000 */
  readonly mirroringMaxEndpointsPerSubset?: number;
  /** --mirroring-endpointslice-updates-batch-period, in milliseconds: changes of mirrored slices are collected for so long. @default 0 */
  readonly mirroringEndpointSliceUpdatesBatchPeriodMs?: number;
  /** --endpoint-updates-batch-period, in milliseconds: as the next one, for Endpoints. @default 0 */
  readonly endpointUpdatesBatchPeriodMs?: number;
  /** --endpointslice-updates-batch-period, in milliseconds: changes of pods are collected for so long. @default 0 */
  readonly endpointSliceUpdatesBatchPeriodMs?: number;
  /** --node-monitor-grace-period, in milliseconds: so long a node may be silent. @default 50,000 */
  readonly nodeMonitorGracePeriodMs?: number;
  /** --node-startup-grace-period, in milliseconds: the same for a node that never reported. @default 60,000 */
  readonly nodeStartupGracePeriodMs?: number;
  /** --node-eviction-rate: nodes a second whose pods are made to leave, in each zone. @default 0.1 */
  readonly nodeEvictionRate?: number;
  /** --secondary-node-eviction-rate: the same in a large zone of which much fails. @default 0.01 */
  readonly secondaryNodeEvictionRate?: number;
  /** --large-cluster-size-threshold: a zone with more nodes is large; from a small one of which much fails no pods leave. @default 50 */
  readonly largeClusterSizeThreshold?: number;
  /** --unhealthy-zone-threshold: this fraction of a zone's nodes, and at least three, is much. @default 0.55 */
  readonly unhealthyZoneThreshold?: number;
  /** --allocate-node-cidrs, with what it needs. @default nodes get no networks */
  readonly nodeIpam?: NodeIpamSettings;
  /**
   * --service-account-private-key-file: signs these claims, as a JWT. @default none: secrets of service accounts are left empty
   */
  readonly signServiceAccountToken?: (claims: Readonly<Record<string, unknown>>) => string | Promise<string>;
  /** --legacy-service-account-token-clean-up-period, in milliseconds: so long a token was not used. @default a year */
  readonly legacyTokenCleanUpPeriodMs?: number;
  /** --cluster-signing-*. @default nobody signs */
  readonly certificateSigning?: CertificateSigningSettings;
  /** --enable-garbage-collector. @default true */
  readonly isGarbageCollectorEnabled?: boolean;
  /** --pvclaimbinder-sync-period, in milliseconds: when volumes that could not be reclaimed are tried again. @default 15,000 */
  readonly claimBinderSyncPeriodMs?: number;
  /** --enable-dynamic-provisioning. @default true */
  readonly isDynamicProvisioningEnabled?: boolean;
  /** --enable-hostpath-provisioner. @default false */
  readonly isHostPathProvisioningEnabled?: boolean;
  /** --pv-recycler-*: the pods that empty volumes. */
  readonly volumeRecycler?: RecyclerSettings;
  /** Where directories of the machine serve as volumes. @default this machine's */
  readonly hostPaths?: HostPaths;
  /** In which schedules of CronJobs without a zone are meant: a name of the time zone database. @default that of the process */
  readonly localTimeZone?: string;
  /** --terminated-pod-gc-threshold: from so many terminated pods on the oldest are deleted; 0: never. @default 12,500 */
  readonly terminatedPodThreshold?: number;
  /** --disable-force-detach-on-timeout. @default false: nodes that are not ready lose volumes after six minutes */
  readonly isForceDetachOnTimeoutDisabled?: boolean;
  /** --resource-quota-sync-period, in milliseconds: each quota is computed anew at least so often. @default 300,000 */
  readonly resourceQuotaSyncPeriodMs?: number;
}
