export { formatKubeconfig, type KubeconfigOptions, writeKubeconfig } from "./kubeconfig.js";
export { type ClientConfig, readKubeconfig } from "./read-kubeconfig.js";
