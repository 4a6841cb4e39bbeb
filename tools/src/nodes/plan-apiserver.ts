import type { Certificates } from "../upstream/index.js";
import { networks, ports } from "./addresses.js";

/** Names and addresses under which clients, inside pods as well, know the API server. */
export const apiserverHosts: readonly string[] = [
  "127.0.0.1",
  networks.bridge,
  networks.kubernetesService,
  "localhost",
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
];

export const apiserverUrl = `https://${networks.bridge}:${ports.apiserver}`;

interface KeyPairFiles {
  readonly certificate: string;
  readonly key: string;
}

export interface ApiserverFacts {
  readonly files: Omit<Certificates, "admin" | "issue">;
  /** Shown to kubelets, and to aggregated API servers. */
  readonly kubeletClient: KeyPairFiles;
  readonly frontProxy: KeyPairFiles;
  /** Where it keeps its objects: `--etcd-servers=…` of upstream's, `--data-dir=…` of ours. */
  readonly storage: readonly string[];
}

const issuer = "https://kubernetes.default.svc.cluster.local";

/**
 * Flags of kube-apiserver and of ours alike. It listens on the bridge, so that nodes and pods reach it, and reaches pods behind
 * services by their endpoints: no service proxy runs where it does.
 */
export const apiserverFlags = ({ files, kubeletClient, frontProxy, storage }: ApiserverFacts): readonly string[] => [
  ...storage,
  `--bind-address=${networks.bridge}`,
  `--advertise-address=${networks.bridge}`,
  `--secure-port=${ports.apiserver}`,
  `--tls-cert-file=${files.serverCertificate}`,
  `--tls-private-key-file=${files.serverKey}`,
  `--client-ca-file=${files.ca}`,
  `--service-account-issuer=${issuer}`,
  `--api-audiences=${issuer}`,
  `--service-account-key-file=${files.serviceAccountKey}`,
  `--service-account-signing-key-file=${files.serviceAccountKey}`,
  `--service-cluster-ip-range=${networks.services}`,
  "--authorization-mode=Node,RBAC",
  "--allow-privileged=true",
  "--enable-admission-plugins=NodeRestriction",
  `--kubelet-client-certificate=${kubeletClient.certificate}`,
  `--kubelet-client-key=${kubeletClient.key}`,
  `--kubelet-certificate-authority=${files.ca}`,
  "--kubelet-preferred-address-types=InternalIP",
  `--proxy-client-cert-file=${frontProxy.certificate}`,
  `--proxy-client-key-file=${frontProxy.key}`,
  `--requestheader-client-ca-file=${files.ca}`,
  "--requestheader-allowed-names=front-proxy",
  "--requestheader-username-headers=X-Remote-User",
  "--requestheader-group-headers=X-Remote-Group",
  "--requestheader-extra-headers-prefix=X-Remote-Extra-",
  "--enable-aggregator-routing=true",
];
