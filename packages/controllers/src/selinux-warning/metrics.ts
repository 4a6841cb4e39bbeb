import type { Metrics } from "@coxswain/runtime/metrics";
import type { VolumeUsers } from "./volume-users.js";

/** One series for each side of each conflict, under upstream's name (pkg/controller/volume/selinuxwarning/metrics.go). */
export function countConflicts(metrics: Metrics, users: Pick<VolumeUsers, "conflicts">): void {
  const podLabels = (which: string): string[] => [`${which}_namespace`, `${which}_name`, `${which}_value`];
  metrics.collectGauge(
    {
      name: "selinux_warning_controller_selinux_volume_conflict",
      help: "Conflict between two Pods using the same volume",
      stability: "ALPHA",
      labels: ["property", ...podLabels("pod1"), ...podLabels("pod2")],
    },
    (report) => {
      const reported = new Set<string>();
      for (const { property, pod, value, otherPod, otherValue } of users.conflicts()) {
        const labels = [property, ...pod.split("/"), value, ...otherPod.split("/"), otherValue];
        // Two pods may have several volumes in common.
        const key = labels.join("\0");
        if (!reported.has(key)) report(1, ...labels);
        reported.add(key);
      }
    },
  );
}
