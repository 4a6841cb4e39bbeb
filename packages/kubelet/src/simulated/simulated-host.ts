import { uidOf } from "../objects/cached-pod.js";
import { ConfigError, type FileSource } from "../runtime/container-runtime.js";
import type { PodSources } from "../sources/pod-sources.js";
import type { PodHost } from "../worker/pod-host.js";

/** The volumes of a simulated node: files in memory, mounted once, which bring themselves up to date. */
export function createSimulatedHost(sources: PodSources): PodHost & { forgetAll(): void } {
  const mounted = new Map<string, ReadonlyMap<string, FileSource>>();
  return {
    hasRecursiveReadOnly: true,
    async mount(pod) {
      const known = mounted.get(uidOf(pod));
      if (known) return known;
      const volumes = await sources.mount(pod);
      mounted.set(uidOf(pod), volumes);
      return volumes;
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
    forgetAll: () => mounted.clear(),
  };
}
