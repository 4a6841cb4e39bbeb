import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureLeaf, type KeptAuthority, type KeptIdentity, type LeafOptions } from "@coxswain/component/certificates";
import { writeFileAtomically } from "@coxswain/component/files";
import { kubeletConfig, type MachinePlaces, type MachineSite, podNetworks, proxyConfig } from "@coxswain/machines";
import type { Runtime } from "@coxswain/runtime";
import { fileKubeconfig } from "../../component/file-kubeconfig.js";

/** What the files of all nodes of `up` are made from. */
export interface NodeFilesOptions {
  readonly site: MachineSite;
  /** As it is now: while it is being replaced there are two, and one of them signs. */
  authority(): KeptAuthority;
  /** Where nodes reach the API server. */
  readonly serverUrl: string;
  readonly dnsService: string;
  /** A file with a KubeletConfiguration that is merged over ours. */
  readonly kubeletConfig: string | undefined;
}

/**
 * Certificates, kubeconfigs and configurations of a node's programs, as far as they are not good any more. Answers the flags that name
 * them. The programs look at their files while they run.
 */
export function writeNodeFiles(
  { ioClock: clock, random }: Runtime,
  { site, authority, serverUrl, dnsService, kubeletConfig: userConfig }: NodeFilesOptions,
  { name, places }: { readonly name: string; readonly places: MachinePlaces },
): string[] {
  const ca = authority();
  const pki = join(places.etc, "pki");
  mkdirSync(pki, { recursive: true, mode: 0o700 });
  const leaf = (file: string, who: Omit<LeafOptions, "clock" | "random">): KeptIdentity =>
    ensureLeaf(pki, file, ca, { clock, random, ...who });
  const node = { commonName: `system:node:${name}`, organizations: ["system:nodes"] };
  leaf("kubelet", { ...node, hosts: [name, places.address] });
  const clientCa = join(places.etc, "ca.crt");
  const kubeconfig = (file: string, identity: KeptIdentity): string => {
    const path = join(places.etc, file);
    const { certificateFile: certificate, keyFile: key } = identity;
    writeFileAtomically(path, fileKubeconfig({ server: serverUrl, authority: clientCa, certificate, key }), 0o600);
    return path;
  };
  writeFileAtomically(clientCa, ca.certificate, 0o644);
  const config = join(places.etc, "kubelet.json");
  const configFolder = join(places.etc, "kubelet.d");
  mkdirSync(configFolder, { recursive: true });
  writeFileSync(
    config,
    kubeletConfig({
      address: places.address,
      clientCa,
      certificate: join(pki, "kubelet.crt"),
      key: join(pki, "kubelet.key"),
      resolvConf: places.resolvConf,
      cgroup: places.cgroup,
      dnsService,
    }),
  );
  if (userConfig !== undefined) writeFileSync(join(configFolder, "50-user.conf"), readFileSync(userConfig));
  const proxyKubeconfig = kubeconfig("proxy.kubeconfig", leaf("proxy", { commonName: "system:kube-proxy" }));
  const proxyFile = join(places.etc, "kube-proxy.json");
  writeFileSync(
    proxyFile,
    proxyConfig({ nodeName: name, kubeconfig: proxyKubeconfig, pods: podNetworks(site.networks).join(",") }),
  );
  return [
    `--kubeconfig=${kubeconfig("node.kubeconfig", leaf("node", node))}`,
    `--proxy-kubeconfig=${proxyKubeconfig}`,
    `--config=${config}`,
    `--config-dir=${configFolder}`,
    `--proxy-config=${proxyFile}`,
  ];
}
