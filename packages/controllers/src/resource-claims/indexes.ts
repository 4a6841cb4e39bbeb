import type { Indexers } from "@coxswain/client/informers";
import type { CachedPod } from "../pods/pod-state.js";
import { type CachedResourceClaim, podGroupNameOf } from "./claim-user.js";

/** The names of the indexes; all who ask for one share it. */
export const podGroupIndex = "podGroup";
export const devicePoolIndex = "devicePool";

/** Devices of one pool of a driver. */
export const poolKey = (driver: string, pool: string): string => `${driver}/${pool}`;

/** Pods by the group that they belong to. */
export const podsByGroup: Indexers<CachedPod> = {
  [podGroupIndex]: (pod) => {
    const name = podGroupNameOf(pod);
    return name === undefined ? [] : [`${pod.metadata?.namespace}/${name}`];
  },
};

/** Claims by the pools of which they have devices. */
export const claimsByPool: Indexers<CachedResourceClaim> = {
  [devicePoolIndex]: ({ status }) => [
    ...new Set((status?.allocation?.devices?.results ?? []).map(({ driver, pool }) => poolKey(driver, pool))),
  ],
};
