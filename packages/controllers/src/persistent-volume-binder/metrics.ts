import type { Metrics } from "@coxswain/runtime/metrics";
import { countByLabels } from "../controller/count-by-labels.js";
import type { CachedClaim, CachedVolume } from "../volumes/cached-volumes.js";
import { classOfClaim } from "../volumes/storage-class.js";

/** Plugins that the controller manager knows; the kind of other volumes is unknown to it. */
function pluginOf({ spec }: CachedVolume): string {
  if (spec?.csi) return `kubernetes.io/csi:${spec.csi.driver}`;
  if (spec?.hostPath) return "kubernetes.io/host-path";
  if (spec?.nfs) return "kubernetes.io/nfs";
  return "N/A";
}

export interface BinderMetrics {
  /** A claim without a class was, or could not be, given the default. */
  assigned(isDone: boolean): void;
  failed(plugin: string, operation: "provision" | "delete"): void;
}

/** What the binder counts about volumes and claims, under upstream's names (pkg/controller/volume/persistentvolume/metrics/metrics.go). */
export function createBinderMetrics(
  metrics: Metrics,
  list: { volumes(): readonly CachedVolume[]; claims(): readonly CachedClaim[] },
): BinderMetrics {
  const gauge = <T>(
    { name, help, labels }: { name: string; help: string; labels: readonly string[] },
    objects: () => readonly T[],
    labelsOf: (object: T) => readonly string[],
  ): void =>
    metrics.collectGauge({ name: `pv_collector_${name}`, help, stability: "ALPHA", labels }, (report) => {
      for (const each of countByLabels(objects(), labelsOf)) report(each.count, ...each.labels);
    });
  const isBound = ({ status }: CachedVolume | CachedClaim): boolean => status?.phase === "Bound";
  const classes = ({ spec }: CachedVolume): string[] => [spec?.storageClassName ?? ""];
  const ofClaim = (claim: CachedClaim): string[] => [
    claim.metadata?.namespace ?? "",
    classOfClaim(claim),
    claim.spec?.volumeAttributesClassName ?? "",
  ];
  const claimLabels = ["namespace", "storage_class", "volume_attributes_class"];
  gauge(
    { name: "total_pv_count", help: "PersistentVolumes", labels: ["plugin_name", "volume_mode"] },
    list.volumes,
    (volume) => [pluginOf(volume), volume.spec?.volumeMode ?? "Filesystem"],
  );
  gauge(
    { name: "bound_pv_count", help: "PersistentVolumes that are bound", labels: ["storage_class"] },
    () => list.volumes().filter(isBound),
    classes,
  );
  gauge(
    { name: "unbound_pv_count", help: "PersistentVolumes that are not bound", labels: ["storage_class"] },
    () => list.volumes().filter((volume) => !isBound(volume)),
    classes,
  );
  gauge(
    { name: "bound_pvc_count", help: "PersistentVolumeClaims that are bound", labels: claimLabels },
    () => list.claims().filter(isBound),
    ofClaim,
  );
  gauge(
    { name: "unbound_pvc_count", help: "PersistentVolumeClaims that are not bound", labels: claimLabels },
    () => list.claims().filter((claim) => !isBound(claim)),
    ofClaim,
  );
  const counter = (name: string, help: string, labels: readonly string[] = []) =>
    metrics.counter({ name, help, stability: "ALPHA", labels });
  const assigned = counter("retroactive_storageclass_total", "Claims that got the default class later").with();
  const notAssigned = counter(
    "retroactive_storageclass_errors_total",
    "Claims that could not be given the default class",
  ).with();
  const errors = counter("volume_operation_errors_total", "Volume operations that failed", [
    "plugin_name",
    "operation_name",
  ]);
  return {
    assigned: (isDone) => (isDone ? assigned : notAssigned).add(1),
    failed: (plugin, operation) => errors.with(plugin, operation).add(1),
  };
}
