export { cacheDirectory } from "./cache-directory.js";
export {
  controllerToolsVersion,
  etcdVersion,
  kubebuilderVersion,
  kubernetesVersion,
  kwokVersion,
  programNames,
  stagingVersion,
} from "./programs.js";
export type { ProgramName } from "./programs.js";
export { cachedProgram, ensureProgram } from "./build.js";
export type { BuildOptions } from "./build.js";
export { startEtcd } from "./etcd-server.js";
export type { EtcdServer, EtcdServerOptions } from "./etcd-server.js";
export { answersOk, startKubeApiserver } from "./kube-apiserver.js";
export type { KubeApiserver, KubeApiserverOptions } from "./kube-apiserver.js";
export { outsideAddress } from "./outside-address.js";
export { startControllerManager } from "./controller-manager.js";
export type { ControllerManagerOptions } from "./controller-manager.js";
export { startScheduler } from "./scheduler.js";
export type { SchedulerOptions } from "./scheduler.js";
export { startKwok } from "./kwok.js";
export type { KwokOptions } from "./kwok.js";
export { moduleFolder } from "./module-folder.js";
export { formatKubeconfig, parseKubeconfig } from "./kubeconfig.js";
export type { ClusterAccess } from "./kubeconfig.js";

export { createCertificates } from "./certificates.js";
export type { Certificates } from "./certificates.js";
export { freePorts } from "./free-port.js";
export { startProcess } from "./managed-process.js";
export type { ManagedProcess, ManagedProcessOptions } from "./managed-process.js";
export { stopOnSignal } from "./stop-on-signal.js";
