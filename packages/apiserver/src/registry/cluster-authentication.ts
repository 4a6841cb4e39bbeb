import type { KubernetesObject } from "@coxswain/apimachinery/meta";

export interface ClusterAuthentication {
  /** PEM of the authority that signs client certificates. */
  readonly clientCa?: string;
}

/** What aggregated servers, the scheduler and the controller manager read at their start to know whom this server trusts. */
export const extensionAuthentication = ({ clientCa }: ClusterAuthentication): KubernetesObject =>
  configMap("extension-apiserver-authentication", clientCa === undefined ? {} : { "client-ca-file": clientCa });

/** Since when secrets that hold service account tokens carry the day of their last use. */
export const legacyTokenTracking = (now: number): KubernetesObject => configMap("kube-apiserver-legacy-service-account-token-tracking", { since: new Date(now).toISOString().slice(0, 10) });

const configMap = (name: string, data: Record<string, string>): KubernetesObject => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "kube-system" }, data }) as KubernetesObject;
