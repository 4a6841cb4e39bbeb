export { oneNode, type NodeParts, type UpParts, type Whose, type WhoseOrNone } from "./node-parts.js";
export { compareSnapshots, type MachineSnapshot, takeSnapshot } from "./machine-snapshot.js";
export {
  endWithStarter,
  ownNamespaces,
  type OwnNamespaces,
  planOwnNamespaces,
  runInOwnNamespaces,
} from "./own-namespaces.js";
export { staticProgram } from "./node-files.js";
export { missingForNodes } from "./prepared.js";
export { type NodesCluster, type NodesClusterOptions, startNodesCluster } from "./start-cluster.js";
export { startUpCluster, type UpClusterOptions } from "./start-up-cluster.js";

export { createRestartable, type Restartable } from "./restartable.js";
export type { StartedNode } from "./start-node.js";
export { type OtherMachine, type OtherMachineOptions, startOtherMachine } from "./other-machine.js";
export { startTestMachine, type TestMachine, writeSmallImages } from "./test-machine.js";
export { missingForContainers, runTestsInNamespaces } from "./tests-in-namespaces.js";
