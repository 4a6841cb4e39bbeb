import { amounts, podLimits, podRequests, specOnly } from "@coxswain/api/pods";
import type { CachedPod } from "../objects/cached-pod.js";

/** Amounts by resource: CPU in thousandths, everything else in units. */
export type Amounts = ReadonlyMap<string, number>;

/** Pure: what an allocated pod asks for. Fractions are rounded up in the sum, as the scheduler does. */
export const requestsOf = (pod: CachedPod): Amounts => roundedUp(podRequests(pod, specOnly, amounts));

/** Pure: what an allocated pod is limited to. */
export const limitsOf = (pod: CachedPod): Amounts => roundedUp(podLimits(pod, specOnly, amounts));

const roundedUp = (sums: Amounts): Amounts => new Map([...sums].map(([resource, sum]) => [resource, Math.ceil(sum)]));
