import {
  type CachedContainer,
  type CachedPod,
  containersOf,
  ephemeralContainersOf,
  initContainersOf,
} from "../objects/cached-pod.js";
import { type ContainerRecord, type PodRuntimeStatus, sandboxOf } from "../runtime/container-runtime.js";
import type { ActionFacts, KillReason, PodActions } from "./action-facts.js";
import { planInitActions } from "./init-actions.js";
import { planReset } from "./restart-all.js";
import { restartsOnFailure, shouldRun } from "./restart-policy.js";

/** Pure: https://github.com/kubernetes/kubernetes/blob/v1.36.4/pkg/kubelet/kuberuntime/kuberuntime_manager.go (computePodActions). */
export function planPodActions(pod: CachedPod, facts: ActionFacts): PodActions {
  const { runtime } = facts;
  if (facts.restartsAll) {
    const reset = planReset(pod, runtime);
    return { killPod: false, createSandbox: false, kill: [], reset, startEphemeral: [], startInit: [], start: [] };
  }
  if (sandboxOf(runtime)?.state !== "ready") return planNewSandbox(pod, runtime);
  // Ephemeral containers start at any time, and never again.
  const startEphemeral = (ephemeralContainersOf(pod) as readonly CachedContainer[]).filter(
    ({ name }) => !runtime.containers.has(name),
  );
  const init = planInitActions(pod, facts);
  if (init.killPod || !init.hasInitialized)
    return {
      killPod: init.killPod,
      createSandbox: false,
      kill: init.kill,
      reset: [],
      startEphemeral: init.killPod ? [] : startEphemeral,
      startInit: init.start,
      start: [],
    };
  const kill = [...init.kill];
  const start: CachedContainer[] = [];
  let kept = 0;
  for (const container of containersOf(pod)) {
    const record = runtime.containers.get(container.name)?.[0];
    if (record?.state !== "running") {
      if (shouldRun(container, pod, runtime)) start.push(container);
      continue;
    }
    const reason = killReason(record, container, facts);
    if (reason === undefined) {
      kept++;
      continue;
    }
    const policy = container.restartPolicy;
    const restarts =
      reason === "definition" ||
      reason === "resize" ||
      (policy === undefined ? restartsOnFailure(pod.spec) : policy !== "Never");
    if (restarts) start.push(container);
    kill.push({ record, container, reason, message: killMessage(container, reason, restarts) });
  }
  const isOver = kept === 0 && start.length === 0;
  // A sidecar must not keep a pod alive that has nothing left to do.
  const startInit = isOver ? [] : init.start;
  return { killPod: isOver, createSandbox: false, kill, reset: [], startEphemeral, startInit, start };
}

/** Without a sandbox everything starts from the beginning, unless the pod has run and must not run again. */
function planNewSandbox(pod: CachedPod, runtime: PodRuntimeStatus): PodActions {
  const nothing = { kill: [], reset: [], startEphemeral: [], startInit: [], start: [] };
  const before = sandboxOf(runtime);
  const attempts = before ? before.attempt + 1 : 0;
  const hasRun = runtime.containers.size > 0;
  if (!restartsOnFailure(pod.spec) && attempts > 0 && hasRun)
    return { ...nothing, killPod: true, createSandbox: false };
  const start = containersOf(pod).filter((container) => !isDone(container, pod, runtime));
  const hasInitialized = containersOf(pod).some(({ name }) => runtime.containers.has(name));
  if (start.length === 0 && hasInitialized) return { ...nothing, killPod: true, createSandbox: false };
  const [first] = initContainersOf(pod);
  return first
    ? { ...nothing, killPod: true, createSandbox: true, startInit: [first] }
    : { ...nothing, killPod: true, createSandbox: true, start };
}

function isDone(container: CachedContainer, pod: CachedPod, runtime: PodRuntimeStatus): boolean {
  const runsOnce = (container.restartPolicy ?? pod.spec?.restartPolicy) === "OnFailure";
  const latest = runtime.containers.get(container.name)?.[0];
  return runsOnce && latest?.state === "exited" && latest.exitCode === 0;
}

export function killReason(
  record: ContainerRecord,
  container: CachedContainer,
  facts: ActionFacts,
): KillReason | undefined {
  if (record.specHash !== facts.hashOf(container)) return "definition";
  if (facts.probed(record, "liveness") === "failure") return "liveness";
  if (facts.probed(record, "startup") === "failure") return "startup";
  return facts.needsRestartToResize(record, container) ? "resize" : undefined;
}

function killMessage({ name }: CachedContainer, reason: KillReason, restarts: boolean): string {
  const what = {
    definition: "definition changed",
    liveness: "failed liveness probe",
    startup: "failed startup probe",
    unknown: "is in unknown state",
    resize: "resize requires restart",
  }[reason];
  return `Container ${name} ${what}${restarts ? ", will be restarted" : ""}`;
}
