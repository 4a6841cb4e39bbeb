import type { CachedContainer, CachedPod } from "../objects/cached-pod.js";
import type { FileSource } from "../runtime/container-runtime.js";

export { ConfigError, MountError } from "../runtime/container-runtime.js";

/** What pods take from other objects: files of their volumes, variables of their environments. */
export interface PodSources {
  /** The files of each volume, by its name. @throws VolumesError */
  mount(pod: CachedPod): Promise<ReadonlyMap<string, FileSource>>;
  /** @throws ConfigError */
  environment(pod: CachedPod, container: CachedContainer, podIPs: readonly string[]): Promise<Map<string, string>>;
}
