import type { ContainerStatus, PodCondition, PodPhase } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import {
  type CachedContainer,
  type CachedPod,
  containersOf,
  initContainersOf,
  isSidecar,
} from "../objects/cached-pod.js";

type Status = DeepReadonly<ContainerStatus>;
type Condition = DeepReadonly<PodCondition>;
/** A condition before it has a time. */
type Finding = Pick<PodCondition, "type" | "status" | "reason" | "message">;

/** Conditions that only the kubelet writes. */
const ownTypes = new Set([
  "PodScheduled",
  "Ready",
  "Initialized",
  "ContainersReady",
  "PodResizeInProgress",
  "PodResizePending",
  "PodReadyToStartContainers",
  "AllContainersRestarting",
]);

export const isKubeletCondition = (type: string): boolean => ownTypes.has(type);

export interface ConditionFacts {
  readonly phase: PodPhase;
  readonly initStatuses: readonly Status[];
  readonly statuses: readonly Status[];
  /** A sandbox with a network is there. */
  readonly hasSandbox: boolean;
  /** A regular container was started, now or before. */
  readonly hasInitialized: boolean;
  /** What the pod had before: others' conditions stay, times of the own ones too while nothing changes. */
  readonly before: readonly Condition[];
  /** Conditions of other parts of the kubelet: resizes, disruption. */
  readonly besides: readonly Finding[];
  /** Whether all containers are to start over, for pods that have such a rule. */
  readonly restarting: readonly Finding[];
  readonly now: string;
}

/** Pure: all conditions of a pod, others' included. */
export function planConditions(pod: CachedPod, facts: ConditionFacts): PodCondition[] {
  const { before, besides, now } = facts;
  const ready = containersReady(pod, facts);
  const findings: Finding[] = [
    ...besides,
    { type: "PodReadyToStartContainers", status: facts.hasSandbox ? "True" : "False" },
    initialized(pod, facts),
    podReady(pod, ready, before),
    ready,
    { type: "PodScheduled", status: "True" },
    ...facts.restarting,
  ];
  const found = new Set(findings.map(({ type }) => type));
  const others = before.filter(({ type }) => !isKubeletCondition(type) && !found.has(type));
  return [
    ...others.map((condition) => ({ ...condition })),
    ...findings.map((finding) => stamp(finding, pod, before, now)),
  ];
}

/** Gives a condition its times: the transition is older than now where the status is the same. */
function stamp(finding: Finding, pod: CachedPod, before: readonly Condition[], now: string): PodCondition {
  const { type, status, reason, message } = finding;
  const old = before.find((condition) => condition.type === type);
  const generation = pod.metadata?.generation;
  return {
    type,
    ...(generation && { observedGeneration: generation }),
    status,
    lastTransitionTime: old?.status === status && old.lastTransitionTime ? old.lastTransitionTime : now,
    ...(reason && { reason }),
    ...(message && { message }),
  };
}

const terminalReason = (phase: PodPhase): string => (phase === "Failed" ? "PodFailed" : "PodCompleted");

/** As Go prints a list of texts. */
const listed = (names: readonly string[]): string => `[${names.join(" ")}]`;

function containersReady(pod: CachedPod, { phase, initStatuses, statuses }: ConditionFacts): Finding {
  const type = "ContainersReady";
  const all = [...initStatuses, ...statuses];
  const needed = [...initContainersOf(pod).filter(isSidecar), ...containersOf(pod)];
  const { unknown, matching } = sift(needed, all, (status) => !status.ready);
  if ((phase === "Succeeded" && unknown.length === 0) || phase === "Failed")
    return { type, status: "False", reason: terminalReason(phase) };
  const message = describe(unknown, matching, "unready");
  return message === "" ? { type, status: "True" } : { type, status: "False", reason: "ContainersNotReady", message };
}

/** Ready needs the containers, and the conditions that the pod's readiness gates name. */
function podReady(pod: CachedPod, containers: Finding, conditions: readonly Condition[]): Finding {
  if (containers.status !== "True") return { ...containers, type: "Ready" };
  const messages: string[] = [];
  for (const { conditionType } of pod.spec?.readinessGates ?? []) {
    const gate = conditions.find(({ type }) => type === conditionType);
    if (!gate) messages.push(`corresponding condition of pod readiness gate "${conditionType}" does not exist.`);
    else if (gate.status !== "True")
      messages.push(`the status of pod readiness gate "${conditionType}" is not "True", but ${gate.status}`);
  }
  if (messages.length === 0) return { type: "Ready", status: "True" };
  return { type: "Ready", status: "False", reason: "ReadinessGatesNotReady", message: messages.join(", ") };
}

function initialized(pod: CachedPod, facts: ConditionFacts): Finding {
  const type = "Initialized";
  const { unknown, matching } = sift(initContainersOf(pod), facts.initStatuses, (status, container) =>
    isSidecar(container) ? status.started !== true : !status.ready,
  );
  if (facts.phase === "Succeeded" && unknown.length === 0) return { type, status: "True", reason: "PodCompleted" };
  const message = describe(unknown, matching, "incomplete");
  // Once initialized, a pod stays so: its sidecars may restart.
  const wasInitialized = facts.before.some((condition) => condition.type === type && condition.status === "True");
  if (message === "" || facts.hasInitialized || wasInitialized) return { type, status: "True" };
  return { type, status: "False", reason: "ContainersNotInitialized", message };
}

function sift(
  containers: readonly CachedContainer[],
  statuses: readonly Status[],
  matches: (status: Status, container: CachedContainer) => boolean,
): { unknown: string[]; matching: string[] } {
  const unknown: string[] = [];
  const matching: string[] = [];
  for (const container of containers) {
    const status = statuses.find(({ name }) => name === container.name);
    if (!status) unknown.push(container.name);
    else if (matches(status, container)) matching.push(container.name);
  }
  return { unknown, matching };
}

function describe(unknown: readonly string[], matching: readonly string[], adjective: string): string {
  const messages: string[] = [];
  if (unknown.length > 0) messages.push(`containers with unknown status: ${listed(unknown)}`);
  if (matching.length > 0) messages.push(`containers with ${adjective} status: ${listed(matching)}`);
  return messages.join(", ");
}
