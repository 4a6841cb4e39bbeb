import { type CachedPod, uidOf } from "../objects/cached-pod.js";
import { ConfigError, type FileSource } from "../runtime/container-runtime.js";
import type { PodSources } from "../sources/pod-sources.js";
import type { PodHost } from "../worker/pod-host.js";

export interface SimulatedHost extends PodHost {
  /** The pod as the API server has it now. */
  renew(pod: CachedPod): void;
  forgetAll(): void;
}

interface Mounted {
  pod: CachedPod;
  volumes: ReadonlyMap<string, FileSource>;
}

/** The volumes of a simulated node: files in memory, mounted once, which bring themselves up to date. */
export function createSimulatedHost(sources: PodSources): SimulatedHost {
  const mounted = new Map<string, Mounted>();
  return {
    hasRecursiveReadOnly: true,
    async mount(pod) {
      const uid = uidOf(pod);
      const known = mounted.get(uid);
      if (known) return known.volumes;
      const place: Mounted = { pod, volumes: new Map() };
      place.volumes = await sources.mount(place);
      mounted.set(uid, place);
      return place.volumes;
    },
    mountSubPath: ({ path }) => Promise.reject(new ConfigError(`a simulated node has no directory ${path}`)),
    ensureGroup: () => Promise.resolve(""),
    resizeGroup: () => Promise.resolve(),
    // Simulated containers end with the process: there is nothing to go on with.
    allocation: () => ({}),
    allocate: () => Promise.resolve(),
    actuate: () => Promise.resolve(),
    runtimeHandler: () => Promise.resolve(""),
    userNamespace: () => Promise.resolve(undefined),
    async release(podUid) {
      mounted.delete(podUid);
    },
    discard: () => Promise.resolve(),
    renew(pod) {
      const known = mounted.get(uidOf(pod));
      if (known) known.pod = pod;
    },
    forgetAll: () => mounted.clear(),
  };
}
