import type { DeepReadonly } from "@coxswain/api";
import type { ContainerStatus } from "@coxswain/api/core/v1";
import { podCondition } from "./condition.js";
import type { StoredPod } from "./stored.js";

/** What a person wants to know of a pod at a glance; the rules are those of kubectl's pod table. */
export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  /** When a container last ended before a restart. */
  readonly lastRestart: string | undefined;
}

type Statuses = readonly DeepReadonly<ContainerStatus>[];

export function summarizePod(pod: DeepReadonly<StoredPod>): PodSummary {
  const { spec, status, metadata } = pod;
  const sidecars = new Set(
    (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always").map(({ name }) => name),
  );
  const init = summarizeInit(status.initContainerStatuses ?? [], sidecars, spec.initContainers?.length ?? 0);
  let reason = status.reason || status.phase || "";
  if (podCondition(pod, "PodScheduled")?.reason === "SchedulingGated") reason = "SchedulingGated";
  reason = init.reason ?? reason;
  let { restarts, lastRestart, ready } = init;
  if (init.reason === undefined || podCondition(pod, "Initialized")?.status === "True") {
    const main = summarizeMain(status.containerStatuses ?? [], reason, podCondition(pod, "Ready")?.status === "True");
    reason = main.reason;
    ready += main.ready;
    restarts = init.sidecarRestarts + main.restarts;
    lastRestart = later(init.lastSidecarRestart, main.lastRestart);
  }
  if (metadata.deletionTimestamp) {
    if (status.reason === "NodeLost") reason = "Unknown";
    else if (status.phase !== "Failed" && status.phase !== "Succeeded") reason = "Terminating";
  }
  return { ready, total: (spec.containers?.length ?? 0) + sidecars.size, reason, restarts, lastRestart };
}

function summarizeInit(statuses: Statuses, sidecars: ReadonlySet<string>, count: number) {
  const found = {
    ready: 0,
    restarts: 0,
    lastRestart: undefined as string | undefined,
    sidecarRestarts: 0,
    lastSidecarRestart: undefined as string | undefined,
  };
  for (const [at, container] of statuses.entries()) {
    const isSidecar = sidecars.has(container.name);
    const finished = container.lastState?.terminated?.finishedAt;
    found.restarts += container.restartCount;
    found.lastRestart = later(found.lastRestart, finished);
    if (isSidecar) {
      found.sidecarRestarts += container.restartCount;
      found.lastSidecarRestart = later(found.lastSidecarRestart, finished);
    }
    const { terminated, waiting } = container.state ?? {};
    if (terminated && terminated.exitCode === 0) continue;
    if (isSidecar && container.started) {
      if (container.ready) found.ready++;
      continue;
    }
    if (terminated)
      return {
        ...found,
        reason: `Init:${terminated.reason || (terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`)}`,
      };
    if (waiting?.reason && waiting.reason !== "PodInitializing") return { ...found, reason: `Init:${waiting.reason}` };
    return { ...found, reason: `Init:${at}/${count}` };
  }
  return { ...found, reason: undefined };
}

function summarizeMain(statuses: Statuses, before: string, podReady: boolean) {
  let reason = before;
  let failure = "";
  let running = false;
  let ready = 0;
  let restarts = 0;
  let lastRestart: string | undefined;
  for (const container of [...statuses].reverse()) {
    restarts += container.restartCount;
    lastRestart = later(lastRestart, container.lastState?.terminated?.finishedAt);
    const { terminated, waiting } = container.state ?? {};
    if (waiting?.reason) reason = waiting.reason;
    else if (terminated) {
      reason =
        terminated.reason || (terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`);
      if (terminated.exitCode !== 0) failure = reason;
    } else if (container.ready && container.state?.running) {
      running = true;
      ready++;
    }
  }
  // One container is done while another still runs, or failed: the pod as a whole is not "Completed".
  if (reason === "Completed") {
    if (running && podReady) reason = "Running";
    else if (failure !== "") reason = failure;
    else if (running) reason = "NotReady";
  }
  return { reason, ready, restarts, lastRestart };
}

const later = (a: string | undefined, b: string | null | undefined): string | undefined =>
  b && (!a || Date.parse(b) > Date.parse(a)) ? b : a;
