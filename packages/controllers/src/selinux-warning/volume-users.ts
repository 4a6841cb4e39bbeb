import { type Conflict, conflictsOf, type VolumeUse } from "./plan.js";

/** Which pods use which volumes, and how. Pods are "namespace/name". */
export interface VolumeUsers {
  /** Answers the conflicts that the pod has with others, if it did not use the volume in this way before. */
  use(
    volume: { readonly name: string; readonly csiDriver: string | undefined },
    pod: string,
    use: VolumeUse,
  ): Conflict[];
  /** The pod is gone. */
  forget(pod: string): void;
  podsOfDriver(csiDriver: string): string[];
  /** All that there are now; some may be there twice, by different volumes. */
  conflicts(): Iterable<Conflict>;
}

interface UsedVolume {
  readonly csiDriver: string | undefined;
  readonly uses: Map<string, VolumeUse>;
  conflicts: readonly Conflict[];
}

export function createVolumeUsers(): VolumeUsers {
  const volumes = new Map<string, UsedVolume>();
  const volumesByPod = new Map<string, Set<string>>();
  return {
    use({ name, csiDriver }, pod, use) {
      const volume: UsedVolume = volumes.get(name) ?? { csiDriver, uses: new Map(), conflicts: [] };
      volumes.set(name, volume);
      volumesByPod.set(pod, (volumesByPod.get(pod) ?? new Set()).add(name));
      const before = volume.uses.get(pod);
      if (before?.label === use.label && before.changePolicy === use.changePolicy) return [];
      volume.uses.set(pod, use);
      const conflicts = [...volume.uses].flatMap(([other, its]) =>
        other === pod ? [] : conflictsOf({ pod, use }, { pod: other, use: its }),
      );
      volume.conflicts = [...withoutPod(volume.conflicts, pod), ...conflicts];
      return conflicts;
    },
    forget(pod) {
      for (const name of volumesByPod.get(pod) ?? []) {
        const volume = volumes.get(name);
        if (!volume) continue;
        volume.uses.delete(pod);
        volume.conflicts = withoutPod(volume.conflicts, pod);
        if (volume.uses.size === 0) volumes.delete(name);
      }
      volumesByPod.delete(pod);
    },
    podsOfDriver: (driver) =>
      [...volumes.values()].flatMap(({ csiDriver, uses }) => (csiDriver === driver ? [...uses.keys()] : [])),
    *conflicts() {
      for (const volume of volumes.values()) yield* volume.conflicts;
    },
  };
}

const withoutPod = (conflicts: readonly Conflict[], pod: string): readonly Conflict[] =>
  conflicts.filter((conflict) => conflict.pod !== pod && conflict.otherPod !== pod);
