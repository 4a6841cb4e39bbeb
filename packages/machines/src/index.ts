export {
  cleanSite,
  linkPrefix,
  type MachineSite,
  machinesFolder,
  openSite,
  type SiteOptions,
  siteCgroup,
  siteId,
} from "./start/machine-site.js";
export {
  type MachineOptions,
  type MachinePlaces,
  machinePlaces,
  type RunningMachine,
  startMachine,
} from "./start/start-machine.js";
export { type Supervised, type SupervisedOptions, supervise } from "./start/supervise.js";
export { findProblems, type PreflightFacts } from "./preflight/find-problems.js";
export { cniFolders, type NeededProgram, neededPrograms } from "./preflight/needed-programs.js";
export { containerdMajor, findProgram, readPreflightFacts } from "./preflight/read-facts.js";
export { cniConfig, cniFile, podBridge } from "./config/cni-config.js";
export { kubeletConfig, type KubeletFacts } from "./config/kubelet-config.js";
export { proxyConfig, type ProxyFacts } from "./config/proxy-config.js";
export { planMirrors, type RegistryFolder, type RegistryMirror } from "./config/registry-mirrors.js";
export { addressIn, networksOverlap, parseNetwork } from "./networks/ipv4-network.js";
export { type MachineNetworks, nodeNetworks, podNetworks } from "./plan/choose-networks.js";

// For those who make machines in another way.
export { type ContainerdFacts, containerdConfig, containerdSocket } from "./config/containerd-config.js";
export { type CgroupHierarchies, findHierarchies } from "./plan/cgroup-hierarchies.js";
export { onMachine, planHolder } from "./plan/namespaces.js";
export { type BridgeFacts, planBridge } from "./plan/plan-bridge.js";
export { type LinkFacts, type MachineFacts, planMachine, planOwnMachine } from "./plan/plan-machine.js";
export { machineDirectory } from "./plan/plan-mounts.js";
export { type PerformOptions, performSteps } from "./steps/perform-steps.js";
export type { Step, Undo } from "./steps/step.js";
export { removeRoutes, routeProtocol } from "./undo/take-back.js";
export { parseUndoLog, type UndoLog, undoLogAt } from "./undo/undo-log.js";
