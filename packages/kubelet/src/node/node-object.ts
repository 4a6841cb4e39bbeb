import type { Node, NodeCondition } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import type { PressureCondition } from "../eviction/signals.js";
import { defaultCapacity, type NodeSpec } from "./node-spec.js";

export interface NodeFacts {
  /** InternalIP. */
  readonly address: string;
  readonly kubeletPort: number;
  /** `<name>://<version>`. */
  readonly runtimeVersion: string;
  readonly ids: { readonly machine: string; readonly boot: string };
  readonly now: number;
}

/** The release whose kubelet this is. */
export const kubeletVersion = "v1.36.4";

/**
 * What schedulers and API servers ask a node about before they rely on it, sorted (k8s.io/component-helpers, nodedeclaredfeatures). Not declared:
 * InPlacePodLevelResourcesVerticalScaling, since only containers are resized here.
 */
export const declaredFeatures = ["InPlacePodVerticalScalingInitContainers", "RestartAllContainersOnContainerExits"];

/** Pure: the Node that a kubelet registers. */
export function planNode(spec: NodeSpec, facts: NodeFacts): Node {
  const { name } = spec;
  const capacity = { ...defaultCapacity, ...spec.capacity };
  return {
    metadata: {
      name,
      labels: {
        "beta.kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        ...spec.labels,
      },
      annotations: { "volumes.kubernetes.io/controller-managed-attach-detach": "true", ...spec.annotations },
    },
    spec: { ...(spec.taints && { taints: [...spec.taints] }) },
    status: {
      capacity,
      allocatable: { ...capacity, ...spec.allocatable },
      conditions: planConditions([], { now: facts.now, pressures: [], problems: [] }),
      addresses: [
        { type: "InternalIP", address: facts.address },
        { type: "Hostname", address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: facts.kubeletPort } },
      nodeInfo: {
        machineID: facts.ids.machine,
        systemUUID: facts.ids.machine,
        bootID: facts.ids.boot,
        kernelVersion: "6.1.0-simulated",
        osImage: "Coxswain simulated node",
        containerRuntimeVersion: facts.runtimeVersion,
        kubeletVersion,
        kubeProxyVersion: "",
        operatingSystem: "linux",
        architecture: "amd64",
      },
      features: { supplementalGroupsPolicy: true },
      declaredFeatures: [...declaredFeatures],
    },
  };
}

/** Reason and message of a pressure condition while it is True and while it is False, and the events of its changes. */
const pressureTexts = [
  {
    type: "MemoryPressure",
    no: { reason: "KubeletHasSufficientMemory", message: "kubelet has sufficient memory available" },
    yes: { reason: "KubeletHasInsufficientMemory", message: "kubelet has insufficient memory available" },
    began: "NodeHasInsufficientMemory",
    ended: "NodeHasSufficientMemory",
  },
  {
    type: "DiskPressure",
    no: { reason: "KubeletHasNoDiskPressure", message: "kubelet has no disk pressure" },
    yes: { reason: "KubeletHasDiskPressure", message: "kubelet has disk pressure" },
    began: "NodeHasDiskPressure",
    ended: "NodeHasNoDiskPressure",
  },
  {
    type: "PIDPressure",
    no: { reason: "KubeletHasSufficientPID", message: "kubelet has sufficient PID available" },
    yes: { reason: "KubeletHasInsufficientPID", message: "kubelet has insufficient PID available" },
    began: "NodeHasInsufficientPID",
    ended: "NodeHasSufficientPID",
  },
] as const satisfies readonly { readonly type: PressureCondition; readonly [text: string]: unknown }[];

const ready = { type: "Ready", status: "True", reason: "KubeletReady", message: "kubelet is posting ready status" };

/** Upstream's `pkg/kubelet/nodestatus/setters.go`, `ReadyCondition`: several reasons are listed as Go's aggregates are. */
const notReady = (problems: readonly string[]): typeof ready => ({
  type: "Ready",
  status: "False",
  reason: "KubeletNotReady",
  message: problems.length === 1 ? (problems[0] as string) : `[${problems.join(", ")}]`,
});

/** What the kubelet finds of its node. */
export interface NodeFindings {
  readonly pressures: readonly PressureCondition[];
  /** Why it takes no pods. */
  readonly problems: readonly string[];
  /** Of volumes that a controller attaches. */
  readonly volumesInUse?: readonly string[];
}

/** What matters of a stored condition. */
export interface KnownCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string | null;
}

/** Pure: the reasons of the events about conditions that differ from the stored ones, in upstream's order. */
export function conditionEvents(before: readonly KnownCondition[], { pressures, problems }: NodeFindings): string[] {
  const statusOf = (type: string): string | undefined => before.find((condition) => condition.type === type)?.status;
  const reasons = pressureTexts.flatMap(({ type, began, ended }) => {
    const isUnder = pressures.includes(type);
    return statusOf(type) === (isUnder ? "True" : "False") ? [] : [isUnder ? began : ended];
  });
  // A node without the condition is a new one: its registration reports that it is ready.
  const wasReady = statusOf("Ready") ?? "True";
  if (problems.length > 0) return wasReady === "False" ? reasons : [...reasons, "NodeNotReady"];
  return wasReady === "True" ? reasons : [...reasons, "NodeReady"];
}

/** Pure: the node's conditions now; transitions keep their times. */
export function planConditions(
  before: readonly KnownCondition[],
  { now, pressures, problems }: NodeFindings & { readonly now: number },
): NodeCondition[] {
  const at = formatTime(now);
  const findings = pressureTexts.map(({ type, yes, no }) =>
    pressures.includes(type) ? { type, status: "True", ...yes } : { type, status: "False", ...no },
  );
  return [...findings, problems.length > 0 ? notReady(problems) : ready].map(({ type, status, reason, message }) => {
    const old = before.find((condition) => condition.type === type);
    const lastTransitionTime = old?.status === status && old.lastTransitionTime ? old.lastTransitionTime : at;
    return { type, status, lastHeartbeatTime: at, lastTransitionTime, reason, message } as NodeCondition;
  });
}
