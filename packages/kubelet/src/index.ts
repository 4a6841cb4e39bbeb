export type { NodeSettings, RunningNodes, StartNodesOptions } from "./running-nodes.js";
export { startNodes } from "./start-nodes.js";
export { machineAnnotation, type MachineState } from "./node/machine-state.js";
export type { ImageRule } from "./simulated/image-rules.js";
export { parseSimulation, type Simulation } from "./simulated/parse-simulation.js";
export type { PodNetwork } from "./simulated/pod-network.js";
export { simulatedCidrs } from "./simulated/node-addresses.js";
export { defaultCapacity, type NodeSpec, numberedNodes, simulatedTaint } from "./node/node-spec.js";
export { StageError, type StageObject } from "./stages/stage-object.js";
export { type KubeletConfig, parseKubeletConfig } from "./node/kubelet-config.js";
export { checkStage } from "./stages/compile-stage.js";
export type { BehaviourRules, RuleName } from "./simulated/behaviour.js";
export { createJournaledVolumes, type JournaledVolumesOptions } from "./simulated/volumes/journaled-volumes.js";
export { createMemoryVolumes, type PersistentVolumes } from "./simulated/volumes/persistent-volumes.js";

// For an API server of another process.
export { connectedPair } from "./runtime/connected-pair.js";
export { simulatedAddresses } from "./server/owned-addresses.js";

export type { NodeMetrics, PodMetrics, ResourceUsage, UsageReader } from "./server/usage-reader.js";

// For other runtimes.
export {
  type ContainerConfig,
  type ContainerRecord,
  type ContainerRuntime,
  type PodRuntimeStatus,
  RuntimeError,
  type SandboxRecord,
} from "./runtime/container-runtime.js";

// Nodes whose containers really run.
export { type CertificateLife, clearNode, startNode, type StartNodeOptions } from "./start-node.js";
export { parseRealConfig, type RealKubeletConfig } from "./node/real-config.js";
