export { formatKubeconfig, type KubeconfigOptions, writeKubeconfig } from "./kubeconfig.js";
