import type { CachedPod } from "../objects/cached-pod.js";
import { type FileSource, MountError } from "../runtime/container-runtime.js";
import type { NodeContext } from "./node-context.js";

/** Volumes that cannot be mounted are tried again after half a second, doubling to two minutes. Upstream's numbers. */
const retryMs = { first: 500, last: 122_000 };

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
  return {
    get mounted() {
      return mounted ?? new Map();
    },
    async mount(pod, signal) {
      try {
        mounted = await context.host.mount(pod, signal);
        waitMs = retryMs.first;
        return true;
      } catch (error) {
        if (!(error instanceof MountError)) throw error;
        context.record(pod, { type: "Warning", reason: "FailedMount", message: error.message });
        wakeAt(context.runtime.clock.now() + waitMs);
        waitMs = Math.min(waitMs * 2, retryMs.last);
        return false;
      }
    },
  };
}
