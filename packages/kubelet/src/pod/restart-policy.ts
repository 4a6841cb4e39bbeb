import type { CachedContainer, CachedPod, CachedSpec } from "../objects/cached-pod.js";
import type { PodRuntimeStatus } from "../runtime/container-runtime.js";

/** Whether a failed container of this pod is run again, rules of single containers aside. */
export const restartsOnFailure = (spec: CachedSpec | undefined): boolean => spec?.restartPolicy !== "Never";

/** What a container that exited with this code has coming: the first rule that matches, its own policy, the pod's. */
export function shouldRestartAfter(
  container: CachedContainer,
  spec: CachedSpec | undefined,
  exitCode: number,
): boolean {
  if (container.restartPolicy !== undefined) {
    const action = matchingRule(container, exitCode)?.action;
    if (action === "Restart" || action === "RestartAllContainers") return true;
  }
  return byPolicy(container.restartPolicy ?? spec?.restartPolicy, exitCode);
}

function byPolicy(policy: string | undefined, exitCode: number): boolean {
  if (policy === "Never") return false;
  return policy === "OnFailure" ? exitCode !== 0 : true;
}

function matchingRule(container: CachedContainer, exitCode: number) {
  return container.restartPolicyRules?.find(({ exitCodes }) => {
    const isListed = exitCodes?.values?.includes(exitCode) ?? false;
    return exitCodes?.operator === "In" ? isListed : exitCodes?.operator === "NotIn" ? !isListed : false;
  });
}

/** Whether an exit with this code makes all containers of the pod start over. */
export const restartsAll = (container: CachedContainer, exitCode: number): boolean =>
  container.restartPolicy !== undefined && matchingRule(container, exitCode)?.action === "RestartAllContainers";

/** Whether a container is to be started now or soon: it never ran, or ran and comes again. */
export function shouldRun(container: CachedContainer, pod: CachedPod, status: PodRuntimeStatus): boolean {
  if (pod.metadata?.deletionTimestamp !== undefined) return false;
  const latest = status.containers.get(container.name)?.[0];
  if (latest === undefined) return true;
  if (latest.state === "running") return false;
  if (latest.state !== "exited") return true;
  return shouldRestartAfter(container, pod.spec, latest.exitCode ?? 0);
}
