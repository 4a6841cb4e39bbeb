import type { CachedContainer, CachedPod } from "../objects/cached-pod.js";
import type { FileSource } from "../runtime/container-runtime.js";

export { ConfigError, MountError } from "../runtime/container-runtime.js";

/** A pod whose states follow each other here. */
export interface PodPlace {
  readonly pod: CachedPod;
}

/** What pods take from other objects: files of their volumes, variables of their environments. */
export interface PodSources {
  /**
   * The files of each volume, by its name.
   * @param place has the pod as it is whenever files are read; volumes hold no state of it
   * @throws VolumesError
   */
  mount(place: PodPlace): Promise<ReadonlyMap<string, FileSource>>;
  /** @throws ConfigError */
  environment(
    pod: CachedPod,
    container: CachedContainer,
    podIPs: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
}
