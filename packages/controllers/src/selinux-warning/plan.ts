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
  readonly property: "SELinuxChangePolicy" | "SELinuxLabel";
  /** The pod that the event is about, as "namespace/name". */
  readonly pod: string;
  readonly value: string;
  readonly otherPod: string;
  readonly otherValue: string;
}

/** Pure: what keeps two pods from using the same volume, for each of them; nothing where they can use it together. */
export function conflictsOf(
  one: { readonly pod: string; readonly use: VolumeUse },
  other: { readonly pod: string; readonly use: VolumeUse },
): Conflict[] {
  const both = (property: Conflict["property"], value: (use: VolumeUse) => string): Conflict[] => {
    const [a, b] = [value(one.use), value(other.use)];
    return [
      { property, pod: one.pod, value: a, otherPod: other.pod, otherValue: b },
      { property, pod: other.pod, value: b, otherPod: one.pod, otherValue: a },
    ];
  };
  return [
    ...(one.use.changePolicy === other.use.changePolicy
      ? []
      : both("SELinuxChangePolicy", ({ changePolicy }) => changePolicy)),
    ...(doLabelsConflict(one.use.label, other.use.label) ? both("SELinuxLabel", ({ label }) => label) : []),
  ];
}

/** Pure: of an event. A pod of another namespace is not named. */
export function conflictMessage({ property, pod, value, otherPod, otherValue }: Conflict): string {
  const end = "If both pods land on the same node, only one of them may access the volume.";
  const [namespace] = pod.split("/");
  const [otherNamespace, otherName] = otherPod.split("/");
  return namespace === otherNamespace
    ? `${property} "${value}" conflicts with pod ${otherName} that uses the same volume as this pod with ${property} "${otherValue}". ${end}`
    : `${property}"${value}" conflicts with another pod that uses the same volume as this pod with a different ${property}. ${end}`;
}

export const severalLabelsMessage = (volume: string): string =>
  `Volume ${quoteGo(volume)} is mounted twice with different SELinux labels inside this pod`;
