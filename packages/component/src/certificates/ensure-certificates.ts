import { hostname } from "node:os";
import { join } from "node:path";
import { addressBytes, formatAddress } from "@coxswain/wire/x509";
import { makeDirectory } from "../files/index.js";
import { ensureAuthority, type KeptAuthority } from "./authority.js";
import type { CertificateOptions } from "./certificate-options.js";
import type { KeptIdentity } from "./identity-files.js";
import { ensureLeaf } from "./leaf.js";
import { ensureServiceAccountKey, type ServiceAccountKey } from "./service-account-key.js";

export interface EnsureCertificatesOptions extends CertificateOptions {
  /** Further names and addresses by which clients reach the server. */
  readonly hosts?: readonly string[];
  /** @default this machine's name */
  readonly hostName?: string;
}

/** What a cluster's servers and its first user need. */
export interface ClusterCertificates {
  /** Signs servers and clients alike: clients are checked against it unless they are given an authority of their own. */
  readonly ca: KeptAuthority;
  readonly server: KeptIdentity;
  /** Of a user in `system:masters`. */
  readonly admin: KeptIdentity;
  /** Client certificate of the API server for kubelets. */
  readonly kubeletClient: KeptIdentity;
  /** Signs proxies that vouch for a user by request headers. */
  readonly frontProxyCa: KeptAuthority;
  /** Client certificate of the API server for aggregated API servers. */
  readonly frontProxyClient: KeptIdentity;
  readonly serviceAccount: ServiceAccountKey;
  /** Names of those that this call made or renewed. */
  readonly made: readonly string[];
}

const clusterHosts = [
  "localhost",
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
  "127.0.0.1",
  "::1",
  "10.96.0.1",
];

/**
 * Makes what is missing under `<directory>/pki`, and renews what is about to expire or no longer fits.
 * Synchronous: it is a dozen small files, read once, before anything is served.
 *
 * Guarantees: authorities and the service account key are never replaced; keys are readable by their owner alone;
 * a process that ends in the middle leaves files that the next call completes.
 */
export function ensureCertificates(directory: string, options: EnsureCertificatesOptions): ClusterCertificates {
  const folder = join(directory, "pki");
  makeDirectory(folder);
  const made: string[] = [];
  const noting = <T extends { readonly fresh: boolean }>(name: string, kept: T): T => {
    if (kept.fresh) made.push(name);
    return kept;
  };
  const authority = (name: string, commonName: string): KeptAuthority =>
    noting(name, ensureAuthority(folder, name, { ...options, commonName }));
  const leaf = (
    name: string,
    from: KeptAuthority,
    who: { commonName: string; organizations?: string[]; hosts?: string[] },
  ): KeptIdentity =>
    noting(name, ensureLeaf(folder, name, from, { clock: options.clock, random: options.random, ...who }));

  const ca = authority("ca", "kubernetes");
  const frontProxyCa = authority("front-proxy-ca", "front-proxy-ca");
  return {
    ca,
    frontProxyCa,
    server: leaf("apiserver", ca, { commonName: "kube-apiserver", hosts: serverHosts(options) }),
    admin: leaf("admin", ca, { commonName: "kubernetes-admin", organizations: ["system:masters"] }),
    kubeletClient: leaf("apiserver-kubelet-client", ca, {
      commonName: "kube-apiserver-kubelet-client",
      organizations: ["system:masters"],
    }),
    frontProxyClient: leaf("front-proxy-client", frontProxyCa, { commonName: "front-proxy-client" }),
    serviceAccount: noting("sa", ensureServiceAccountKey(folder)),
    made,
  };
}

/** Addresses in one spelling, so that `::0001` does not look like a change. */
function serverHosts(options: EnsureCertificatesOptions): string[] {
  const all = [...clusterHosts, options.hostName ?? hostname(), ...(options.hosts ?? [])];
  return [...new Set(all.map((host) => formatAddress(addressBytes(host) ?? Buffer.alloc(0)) ?? host.toLowerCase()))];
}
