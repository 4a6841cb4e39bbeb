import type { CachedPod } from "../objects/cached-pod.js";
import type { FileSource } from "../runtime/container-runtime.js";
import type { NodeContext } from "./node-context.js";
import { MountError } from "../sources/pod-sources.js";

/** Volumes that cannot be mounted are tried again after half a second, doubling to two minutes. Upstream's numbers. */
const retryMs = { first: 500, last: 122_000 };

/** The volumes of one pod, mounted once. */
export interface PodVolumes {
  /** By name; empty before they are mounted. */
  readonly mounted: ReadonlyMap<string, FileSource>;
  /** Makes them ready; false where that has to wait, and is tried again at a time given to `wakeAt`. */
  mount(pod: CachedPod): Promise<boolean>;
}

export function createPodVolumes(context: NodeContext, wakeAt: (at: number) => void): PodVolumes {
  let mounted: ReadonlyMap<string, FileSource> | undefined;
  let waitMs = retryMs.first;
  return {
    get mounted() {
      return mounted ?? new Map();
    },
    async mount(pod) {
      if (mounted) return true;
      try {
        mounted = await context.sources.mount(pod);
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
