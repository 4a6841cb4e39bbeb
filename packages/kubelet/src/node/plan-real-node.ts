import type { Node } from "@coxswain/api/core/v1";
import { amountOf } from "@coxswain/api/pods";
import { getOwn } from "@coxswain/apimachinery/own";
import type { Threshold } from "../eviction/thresholds.js";
import type { MachineFacts } from "../machine/machine.js";
import type { FileSystemStats, RuntimeStatus } from "../runtime/container-runtime.js";
import { declaredFeatures, kubeletVersion, planConditions } from "./node-object.js";
import type { NodeSpec } from "./node-spec.js";

export interface RealNodeFacts {
  readonly machine: MachineFacts;
  /** Of the kubelet's directory. */
  readonly disk: FileSystemStats;
  /** `<name>://<version>`. */
  readonly runtimeVersion: string;
  readonly runtime: RuntimeStatus | undefined;
  readonly addresses: readonly string[];
  readonly kubeletPort: number;
  readonly maxPods: number;
  readonly podPidsLimit?: number;
  /** What the system and the kubelet keep for themselves: `systemReserved` and `kubeReserved`. */
  readonly reserved: readonly Readonly<Record<string, string>>[];
  readonly thresholds: readonly Threshold[];
  readonly problems: readonly string[];
  readonly providerID?: string;
  readonly now: number;
}

const kibi = (bytes: number): string => `${Math.floor(bytes / 1024)}Ki`;

/** Pure: the Node of a real machine. Upstream's `pkg/kubelet/nodestatus/setters.go`, `MachineInfo`. */
export function planRealNode(spec: NodeSpec, facts: RealNodeFacts): Node {
  const { machine, runtime } = facts;
  const { name } = spec;
  return {
    metadata: {
      name,
      labels: {
        "beta.kubernetes.io/arch": machine.architecture,
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/arch": machine.architecture,
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        ...spec.labels,
      },
      annotations: { "volumes.kubernetes.io/controller-managed-attach-detach": "true", ...spec.annotations },
    },
    spec: {
      ...(spec.taints && { taints: [...spec.taints] }),
      ...(facts.providerID && { providerID: facts.providerID }),
    },
    status: {
      capacity: capacityOf(facts),
      allocatable: allocatableOf(facts),
      conditions: planConditions([], { now: facts.now, pressures: [], problems: facts.problems }),
      addresses: [
        ...facts.addresses.map((address) => ({ type: "InternalIP" as const, address })),
        { type: "Hostname", address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: facts.kubeletPort } },
      nodeInfo: {
        machineID: machine.machineId,
        systemUUID: machine.systemUuid,
        bootID: machine.bootId,
        kernelVersion: machine.kernelVersion,
        osImage: machine.osImage,
        containerRuntimeVersion: facts.runtimeVersion,
        kubeletVersion,
        kubeProxyVersion: "",
        operatingSystem: "linux",
        architecture: machine.architecture,
        ...(machine.swapBytes > 0 && { swap: { capacity: machine.swapBytes } }),
      },
      ...(runtime && {
        runtimeHandlers: runtime.handlers.map(({ name: handler, recursiveReadOnlyMounts, userNamespaces }) => ({
          name: handler,
          features: { recursiveReadOnlyMounts, userNamespaces },
        })),
        features: { supplementalGroupsPolicy: runtime.features.supplementalGroupsPolicy },
      }),
      declaredFeatures: [...declaredFeatures],
    },
  };
}

const pageName = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3}Gi` : bytes >= 1024 ** 2 ? `${bytes / 1024 ** 2}Mi` : `${bytes / 1024}Ki`;

function capacityOf({ machine, disk, maxPods }: RealNodeFacts): Record<string, string> {
  return {
    cpu: String(machine.processors),
    "ephemeral-storage": kibi(disk.capacityBytes),
    ...Object.fromEntries(
      machine.hugePages.map(({ sizeBytes, count }) => [
        `hugepages-${pageName(sizeBytes)}`,
        count === 0 ? "0" : kibi(sizeBytes * count),
      ]),
    ),
    memory: kibi(machine.memoryBytes),
    pods: String(maxPods),
  };
}

/** Without what is reserved and without what hard thresholds keep free. Upstream's `pkg/kubelet/cm/node_container_manager_linux.go`. */
function allocatableOf(facts: RealNodeFacts): Record<string, string> {
  const { machine, disk, reserved, thresholds } = facts;
  const kept = (resource: string): number =>
    reserved.reduce((sum, list) => sum + amountOf(resource, getOwn(list, resource) ?? "0"), 0);
  const free = (signal: Threshold["signal"], capacity: number): number => {
    const hard = thresholds.find((threshold) => threshold.signal === signal && threshold.graceMs === 0)?.value;
    if (!hard) return 0;
    return "quantity" in hard ? hard.quantity : Math.floor(capacity * hard.percentage);
  };
  const huge = machine.hugePages.reduce((sum, { sizeBytes, count }) => sum + sizeBytes * count, 0);
  const memory = machine.memoryBytes - huge - kept("memory") - free("memory.available", machine.memoryBytes);
  const storage = disk.capacityBytes - kept("ephemeral-storage") - free("nodefs.available", disk.capacityBytes);
  const milliCpu = machine.processors * 1000 - Math.ceil(kept("cpu"));
  return {
    ...capacityOf(facts),
    cpu: milliCpu % 1000 === 0 ? String(milliCpu / 1000) : `${milliCpu}m`,
    "ephemeral-storage": String(Math.max(0, storage)),
    memory: kibi(Math.max(0, memory)),
  };
}
