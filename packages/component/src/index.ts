// Each part is a sub-path of its own (`@coxswain/component/flags`, …), so that a program loads only what it uses.
export { type ClusterCertificates, ensureCertificates, type EnsureCertificatesOptions } from "./certificates/index.js";
export { formatKubeconfig, type KubeconfigOptions, writeKubeconfig } from "./kubeconfig/index.js";
