import type { CachedContainer, CachedPod } from "../objects/cached-pod.js";
import type { FileSource } from "../runtime/container-runtime.js";

/** What pods take from other objects: files of their volumes, variables of their environments. */
export interface PodSources {
  /** The files of each volume, by its name. @throws MountError */
  mount(pod: CachedPod): Promise<ReadonlyMap<string, FileSource>>;
  /** @throws ConfigError */
  environment(pod: CachedPod, container: CachedContainer, podIPs: readonly string[]): Promise<Map<string, string>>;
}

/** A volume cannot be mounted yet; shown as an event of the pod. */
export class MountError extends Error {
  override readonly name = "MountError";
}

/** A container cannot be made from what its spec refers to: CreateContainerConfigError. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
