import type { DeepReadonly } from "@coxswain/api";
import type { Container, SELinuxOptions } from "@coxswain/api/core/v1";
import { quoteGo } from "@coxswain/apimachinery/text";
import type { CachedPod } from "../pods/pod-state.js";

/** How a pod uses a volume. */
export interface VolumeUse {
  /** "user:role:type:level"; "" where the volume is not mounted with a label. */
  readonly label: string;
  readonly changePolicy: "MountOption" | "Recursive";
}

/** As much as is set: what is missing is filled in by nodes, and not known here. */
export function labelOf(options: DeepReadonly<SELinuxOptions>): string {
  const label = [options.user, options.role, options.type, options.level].map((part) => part ?? "").join(":");
  return label === ":::" ? "" : label;
}

/** Pure: the labels with which each mounted volume is used, by the volume's name in the pod. */
export function labelsByVolume({ spec }: CachedPod): Map<string, ReadonlySet<string>> {
  const containers = [
    ...(spec?.initContainers ?? []),
    ...(spec?.containers ?? []),
    ...(spec?.ephemeralContainers ?? []),
  ] as DeepReadonly<Container>[];
  const labels = new Map<string, Set<string>>();
  for (const { volumeMounts, securityContext } of containers) {
    const options = securityContext?.seLinuxOptions ?? spec?.securityContext?.seLinuxOptions;
    for (const { name } of volumeMounts ?? []) {
      const found = labels.get(name) ?? new Set();
      labels.set(name, options ? found.add(labelOf(options)) : found);
    }
  }
  return labels;
}

/** Pure: how the pod uses a volume with this label, given whether the volume can be mounted with one. */
export function useOf({ spec }: CachedPod, label: string | undefined, canMountWithLabel: boolean): VolumeUse {
  const asked = spec?.securityContext?.seLinuxChangePolicy ?? "MountOption";
  const mounted = asked === "Recursive" || !canMountWithLabel ? "" : (label ?? "");
  return { label: mounted, changePolicy: mounted === "" ? "Recursive" : "MountOption" };
}

/** Pure: whether two labels can be those of one volume. The level is never filled in; other parts may be, where they are empty. */
export function doLabelsConflict(a: string, b: string): boolean {
  const parts = (label: string): string[] => {
    const [user = "", role = "", type = "", ...level] = label.split(":");
    return [user, role, type, level.join(":")];
  };
  const other = parts(b);
  return parts(a).some((part, at) => part !== other[at] && (at === 3 || (part !== "" && other[at] !== "")));
}

export interface Conflict {
  /** The pod that the event is about, as "namespace/name". */
  readonly pod: string;
  readonly reason: "SELinuxChangePolicyConflict" | "SELinuxLabelConflict";
  readonly message: string;
}

/** Pure: the events for two pods with the same volume; nothing where they can use it together. */
export function conflictsOf(
  one: { readonly pod: string; readonly use: VolumeUse },
  other: { readonly pod: string; readonly use: VolumeUse },
): Conflict[] {
  const both = (property: string, reason: Conflict["reason"], value: (use: VolumeUse) => string): Conflict[] => [
    { pod: one.pod, reason, message: messageOf(property, [one.pod, value(one.use)], [other.pod, value(other.use)]) },
    { pod: other.pod, reason, message: messageOf(property, [other.pod, value(other.use)], [one.pod, value(one.use)]) },
  ];
  return [
    ...(one.use.changePolicy === other.use.changePolicy
      ? []
      : both("SELinuxChangePolicy", "SELinuxChangePolicyConflict", ({ changePolicy }) => changePolicy)),
    ...(doLabelsConflict(one.use.label, other.use.label)
      ? both("SELinuxLabel", "SELinuxLabelConflict", ({ label }) => label)
      : []),
  ];
}

type LabelledPod = readonly [pod: string, value: string];

/** A pod of another namespace is not named. */
function messageOf(property: string, [pod, value]: LabelledPod, [otherPod, otherValue]: LabelledPod): string {
  const end = "If both pods land on the same node, only one of them may access the volume.";
  const [namespace] = pod.split("/");
  const [otherNamespace, otherName] = otherPod.split("/");
  return namespace === otherNamespace
    ? `${property} "${value}" conflicts with pod ${otherName} that uses the same volume as this pod with ${property} "${otherValue}". ${end}`
    : `${property}"${value}" conflicts with another pod that uses the same volume as this pod with a different ${property}. ${end}`;
}

export const severalLabelsMessage = (volume: string): string =>
  `Volume ${quoteGo(volume)} is mounted twice with different SELinux labels inside this pod`;
