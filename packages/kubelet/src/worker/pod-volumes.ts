import type { CachedPod } from "../objects/cached-pod.js";
import { type FileSource, VolumesError } from "../runtime/container-runtime.js";
import type { NodeContext } from "./node-context.js";
import type { WorkedPod } from "./worked-pod.js";

/** Volumes that cannot be mounted are tried again after half a second, doubling to two minutes. Upstream's numbers. */
const retryMs = { first: 500, last: 122_000 };
/** Upstream's podAttachAndMountTimeout: a pod whose volumes are not there for so long has an event about all of them. */
const timeoutMs = 123_000;

const none: ReadonlyMap<string, FileSource> = new Map();

/** The volumes of one pod. */
export class PodVolumes {
  readonly #context: NodeContext;
  readonly #worked: Pick<WorkedPod, "wakeAt">;
  #mounted = none;
  #waitMs = retryMs.first;
  #lateAt: number | undefined;

  constructor(context: NodeContext, worked: Pick<WorkedPod, "wakeAt">) {
    this.#context = context;
    this.#worked = worked;
  }

  /** By name; empty before they are mounted. */
  get mounted(): ReadonlyMap<string, FileSource> {
    return this.#mounted;
  }

  /** Makes them ready; false where that has to wait, and is tried again at a time given to `wakeAt`. */
  async mount(pod: CachedPod, signal: AbortSignal): Promise<boolean> {
    try {
      this.#mounted = await this.#context.host.mount(pod, signal);
      this.#waitMs = retryMs.first;
      this.#lateAt = undefined;
      return true;
    } catch (error) {
      if (!(error instanceof VolumesError)) throw error;
      this.#fail(pod, error);
      return false;
    }
  }

  #fail(pod: CachedPod, { problems }: VolumesError): void {
    const record = (message: string): void =>
      this.#context.record(pod, { type: "Warning", reason: "FailedMount", message });
    for (const problem of problems.values()) if (problem !== undefined) record(problem);
    const now = this.#context.runtime.clock.now();
    this.#lateAt ??= now + timeoutMs;
    if (now >= this.#lateAt) {
      const names = [...problems.keys()].toSorted().join(" ");
      record(
        `Unable to attach or mount volumes: unmounted volumes=[${names}], unattached volumes=[], failed to process volumes=[]: context deadline exceeded`,
      );
      this.#lateAt = now + timeoutMs;
    }
    this.#worked.wakeAt(now + this.#waitMs);
    this.#waitMs = Math.min(this.#waitMs * 2, retryMs.last);
  }
}
