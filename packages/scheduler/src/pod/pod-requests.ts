import { amounts, type PodRequestsOptions, podRequests as totalRequests } from "@coxswain/api/pods";
import type { Pod } from "./objects.js";
import type { Amounts } from "./resource.js";

/** As the scheduler counts pods: of containers and pods that are resized also what they still have. */
export const scheduled = { podLevel: true, fromStatus: true, podLevelFromStatus: true };

/** What a pod requests in all, in the units of the scheduler. */
export const podRequests = (pod: Pod, options: PodRequestsOptions<number>): Amounts =>
  totalRequests(pod, options, amounts);
