import type { CachedPod } from "../objects/cached-pod.js";
import { type FileSource, VolumesError } from "../runtime/container-runtime.js";
import type { NodeContext } from "./node-context.js";

/** Volumes that cannot be mounted are tried again after half a second, doubling to two minutes. Upstream's numbers. */
const retryMs = { first: 500, last: 122_000 };
/** Upstream's podAttachAndMountTimeout: a pod whose volumes are not there for so long has an event about all of them. */
const timeoutMs = 123_000;

/** The volumes of one pod. */
export interface PodVolumes {
  /** By name; empty before they are mounted. */
  readonly mounted: ReadonlyMap<string, FileSource>;
  /** Makes them ready; false where that has to wait, and is tried again at a time given to `wakeAt`. */
  mount(pod: CachedPod, signal: AbortSignal): Promise<boolean>;
}

export function createPodVolumes(context: NodeContext, wakeAt: (at: number) => void): PodVolumes {
  let mounted: ReadonlyMap<string, FileSource> | undefined;
  let waitMs = retryMs.first;
  let lateAt: number | undefined;
  return {
    get mounted() {
      return mounted ?? new Map();
    },
    async mount(pod, signal) {
      try {
        mounted = await context.host.mount(pod, signal);
        waitMs = retryMs.first;
        lateAt = undefined;
        return true;
      } catch (error) {
        if (!(error instanceof VolumesError)) throw error;
        const record = (message: string): void =>
          context.record(pod, { type: "Warning", reason: "FailedMount", message });
        for (const problem of error.problems.values()) if (problem !== undefined) record(problem);
        const now = context.runtime.clock.now();
        lateAt ??= now + timeoutMs;
        if (now >= lateAt) {
          const names = [...error.problems.keys()].toSorted().join(" ");
          record(
            `Unable to attach or mount volumes: unmounted volumes=[${names}], unattached volumes=[], failed to process volumes=[]: context deadline exceeded`,
          );
          lateAt = now + timeoutMs;
        }
        wakeAt(now + waitMs);
        waitMs = Math.min(waitMs * 2, retryMs.last);
        return false;
      }
    },
  };
}
