import { type CachedPod, containersOf, initContainersOf } from "../objects/cached-pod.js";
import type { Allocation } from "./resize.js";

/** What a pod was given before this kubelet began, by its status; a new pod is given what it asks for. */
export function reportedAllocation(pod: CachedPod): Allocation {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const reported = new Map([...initContainerStatuses, ...containerStatuses].map((status) => [status.name, status]));
  return new Map(
    [...initContainersOf(pod), ...containersOf(pod)].map(({ name, resources }) => {
      const status = reported.get(name);
      const isRunning = status?.state?.running !== undefined;
      return [name, (isRunning ? status.resources : undefined) ?? resources ?? {}];
    }),
  );
}
