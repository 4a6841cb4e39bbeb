import { join } from "node:path";
import { makeDirectory } from "../files/index.js";
import { ensureAuthority } from "./authority.js";
import type { CertificateOptions } from "./certificate-options.js";
import type { KeptIdentity } from "./identity-files.js";
import { ensureLeaf } from "./leaf.js";

/** What a store served by etcd's protocol shows, and whom it believes. */
export interface EtcdCertificates {
  readonly ca: KeptIdentity;
  readonly server: KeptIdentity;
  /** Who shows it reads and writes everything. */
  readonly client: KeptIdentity;
}

/**
 * Makes what is missing under `<directory>/pki/etcd`, where kubeadm has it, too. Its authority is not the cluster's: no user of the API may
 * reach the store past the API.
 */
export function ensureEtcdCertificates(
  directory: string,
  { hosts, ...options }: CertificateOptions & { readonly hosts: readonly string[] },
): EtcdCertificates {
  const folder = join(directory, "pki", "etcd");
  makeDirectory(join(directory, "pki"));
  makeDirectory(folder);
  const ca = ensureAuthority(folder, "ca", { ...options, commonName: "etcd-ca" });
  return {
    ca,
    server: ensureLeaf(folder, "server", ca, {
      ...options,
      commonName: "etcd",
      hosts: [...new Set(["localhost", "127.0.0.1", "::1", ...hosts])],
    }),
    client: ensureLeaf(folder, "client", ca, { ...options, commonName: "etcd-client" }),
  };
}
