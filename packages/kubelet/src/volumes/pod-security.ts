import { type CachedPod, containersOf, ephemeralContainersOf, initContainersOf } from "../objects/cached-pod.js";

/** Pure: the user of all containers, if it is one: tokens are then that user's alone. `FsUserFrom` of pkg/volume/util/util.go. */
export function fsUserOf(pod: CachedPod): number | undefined {
  const ofPod = pod.spec?.securityContext?.runAsUser;
  const users = new Set(
    [...containersOf(pod), ...initContainersOf(pod), ...ephemeralContainersOf(pod)].map(
      ({ securityContext }) => securityContext?.runAsUser ?? ofPod,
    ),
  );
  const [user] = users;
  return users.size === 1 ? user : undefined;
}

export const fsGroupOf = (pod: CachedPod): number | undefined => pod.spec?.securityContext?.fsGroup;

export const fsGroupPolicyOf = (pod: CachedPod): string => pod.spec?.securityContext?.fsGroupChangePolicy ?? "Always";
