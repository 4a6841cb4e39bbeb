import type { Pod } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import { quantityValue } from "@coxswain/apimachinery/quantity";
import type { CachedPod } from "../pods/pod-state.js";
import type { RecyclerSettings, RecyclerTimeouts } from "../settings/recycler-settings.js";
import type { CachedVolume } from "../volumes/cached-volumes.js";

export const recyclerNamespace = "default";
const prefix = "recycler-for-";

export const recyclerPodName = (volumeName: string): string => `${prefix}${volumeName}`;

/** The volume that a pod empties; undefined: it does not. */
export const volumeOfRecycler = ({ metadata }: CachedPod): string | undefined =>
  metadata?.namespace === recyclerNamespace && metadata.name?.startsWith(prefix)
    ? metadata.name.slice(prefix.length)
    : undefined;

/** Pure: the pod that deletes everything on a volume; undefined: no plugin does that for such a volume. */
export function recyclerPod({ metadata, spec }: CachedVolume, settings: RecyclerSettings = {}): Pod | undefined {
  const size = quantityValue(getOwn(spec?.capacity, "storage") ?? "0");
  if (spec?.hostPath)
    return podFrom(settings.hostPathTemplate ?? defaultTemplate, {
      name: recyclerPodName(metadata?.name ?? ""),
      seconds: secondsFor(size, settings.hostPath ?? { minimum: 60, increment: 30 }),
      source: { hostPath: { path: spec.hostPath.path } },
    });
  if (spec?.nfs)
    return podFrom(settings.nfsTemplate ?? defaultTemplate, {
      name: recyclerPodName(metadata?.name ?? ""),
      seconds: secondsFor(size, settings.nfs ?? { minimum: 300, increment: 30 }),
      source: { nfs: { server: spec.nfs.server, path: spec.nfs.path } },
    });
  return undefined;
}

const secondsFor = (bytes: number, { minimum, increment }: RecyclerTimeouts): number =>
  Math.max(minimum, Math.floor(bytes / 2 ** 30) * increment);

function podFrom(template: Pod, { name, seconds, source }: { name: string; seconds: number; source: object }): Pod {
  const { generateName: _, ...metadata } = template.metadata ?? {};
  const [volume, ...others] = template.spec?.volumes ?? [];
  return {
    ...template,
    metadata: { ...metadata, name, namespace: metadata.namespace ?? recyclerNamespace },
    spec: {
      ...template.spec,
      containers: template.spec?.containers ?? [],
      activeDeadlineSeconds: seconds,
      volumes: [{ name: volume?.name ?? "vol", ...source }, ...others],
    },
  };
}

const defaultTemplate: Pod = {
  metadata: { namespace: recyclerNamespace },
  spec: {
    restartPolicy: "Never",
    volumes: [{ name: "vol" }],
    containers: [
      {
        name: "pv-recycler",
        image: "registry.k8s.io/build-image/debian-base:bookworm-v1.0.6",
        command: ["/bin/sh"],
        args: ["-c", 'test -e /scrub && find /scrub -mindepth 1 -delete && test -z "$(ls -A /scrub)" || exit 1'],
        volumeMounts: [{ name: "vol", mountPath: "/scrub" }],
      },
    ],
  },
};
