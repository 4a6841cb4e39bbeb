export type { ClientConfig, ExecConfig, OidcConfig, Pem } from "./client-config.js";
export type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigExec,
  KubeconfigUser,
} from "./kubeconfig.js";
export { KubeconfigError } from "./kubeconfig-error.js";
export { parseKubeconfig } from "./parse-kubeconfig.js";
export { type Located, mergeKubeconfigs, type MergedKubeconfig } from "./merge-kubeconfigs.js";
export { type KubeconfigChoice, resolveKubeconfig } from "./resolve-kubeconfig.js";
export type { ResolvePath } from "./pem-field.js";
export {
  type Changes,
  formatKubeconfig,
  removeEntry,
  renameContext,
  setCluster,
  setContext,
  setCurrentContext,
  setUser,
} from "./edit-kubeconfig.js";
