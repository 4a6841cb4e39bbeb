import {
  type CachedContainer,
  type CachedPod,
  containersOf,
  initContainersOf,
  isSidecar,
} from "../objects/cached-pod.js";
import type { ContainerRecord } from "../runtime/container-runtime.js";
import type { ActionFacts, ContainerKill } from "./action-facts.js";
import { shouldRestartAfter } from "./restart-policy.js";

export interface InitActions {
  /** Initialization failed for good. */
  readonly killPod: boolean;
  /** The regular containers may run. */
  readonly hasInitialized: boolean;
  readonly start: readonly CachedContainer[];
  readonly kill: readonly ContainerKill[];
}

/**
 * Pure: which init containers and sidecars to start, and which to kill. Looks from the last to the first: the newest one
 * that ran shows how far initialization has come, and sidecars before it are kept running.
 */
export function planInitActions(pod: CachedPod, facts: ActionFacts): InitActions {
  const containers = initContainersOf(pod);
  if (containers.length === 0) return { killPod: false, hasInitialized: true, start: [], kill: [] };
  const { runtime } = facts;
  let hasInitialized = containersOf(pod).some(({ name }) => {
    const state = runtime.containers.get(name)?.[0]?.state;
    return state === "created" || state === "running";
  });
  let isPast = hasInitialized;
  const start = new Set<CachedContainer>();
  const kill: ContainerKill[] = [];
  for (let i = containers.length - 1; i >= 0; i--) {
    const container = containers[i] as CachedContainer;
    const next = containers[i + 1];
    const record = runtime.containers.get(container.name)?.[0];
    const sidecar = isSidecar(container);
    if (!record) {
      if (isPast && sidecar) start.add(container);
      continue;
    }
    if (isPast && !sidecar) continue;
    const step = sidecar ? stepSidecar(record, container, facts) : stepInit(record, container, pod);
    if (step.at === "failed") return { killPod: true, hasInitialized: false, start: [], kill: [] };
    if (step.at === "done") {
      if (next === undefined) hasInitialized = true;
      else if (!isPast) start.add(next);
    }
    if (step.restart) start.add(container);
    if (step.kill) kill.push(step.kill);
    isPast = true;
  }
  if (!isPast) start.add(containers[0] as CachedContainer);
  return { killPod: false, hasInitialized, start: containers.filter((container) => start.has(container)), kill };
}

interface InitStep {
  readonly at: "running" | "done" | "failed";
  readonly restart?: boolean;
  readonly kill?: ContainerKill;
}

function stepInit(record: ContainerRecord, container: CachedContainer, pod: CachedPod): InitStep {
  if (record.state === "running") return { at: "running" };
  if (record.state !== "exited") return { at: "running", restart: true };
  if (record.exitCode === 0) return { at: "done" };
  return shouldRestartAfter(container, pod.spec, record.exitCode ?? 1)
    ? { at: "running", restart: true }
    : { at: "failed" };
}

/** The containers behind a sidecar may start once it has passed its startup probe. */
function stepSidecar(record: ContainerRecord, container: CachedContainer, facts: ActionFacts): InitStep {
  if (record.state !== "running") return { at: "running", restart: true };
  const doomed = (reason: ContainerKill["reason"], why: string): InitStep => ({
    at: reason === "startup" ? "running" : "done",
    restart: true,
    kill: { record, container, reason, message: `Init container ${container.name} ${why}` },
  });
  if (container.startupProbe) {
    const verdict = facts.probed(record, "startup");
    if (verdict === "failure") return doomed("startup", "failed startup probe");
    if (verdict !== "success") return { at: "running" };
  }
  if (record.specHash !== facts.hashOf(container)) return doomed("definition", "definition changed");
  if (facts.probed(record, "liveness") === "failure") return doomed("liveness", "failed liveness probe");
  return { at: "done" };
}
