import { readFileSync } from "node:fs";
import type { ApiServerOptions } from "@coxswain/apiserver";
import type { ClusterCertificates } from "@coxswain/component/certificates";
import { defineFlags, FlagError, type OptionsOf } from "@coxswain/component/flags";

/** How the server reaches nodes, for logs, exec and the like. */
export const kubeletFlags = defineFlags({
  "kubelet-preferred-address-types": { group: "Nodes", type: "strings", default: ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"], value: "type,…", help: "Which of a node's addresses is taken to reach its kubelet: the first type that it has." },
  "kubelet-client-certificate": { group: "Nodes", type: "string", value: "file", help: "The certificate that the server shows to kubelets. Default: one made in the data directory." },
  "kubelet-client-key": { group: "Nodes", type: "string", value: "file", help: "The key of that certificate." },
  "kubelet-certificate-authority": { group: "Nodes", type: "string", value: "file", help: "The authorities that sign kubelets' certificates. Default: whoever answers is believed." },
});

/** The flags as the server takes them; files are read when it starts. */
export function kubeletFrom(options: OptionsOf<typeof kubeletFlags>): (own: Pick<ClusterCertificates, "kubeletClient">) => NonNullable<ApiServerOptions["kubelet"]> {
  const { kubeletPreferredAddressTypes: preferredAddressTypes, kubeletClientCertificate, kubeletClientKey, kubeletCertificateAuthority } = options;
  if ((kubeletClientCertificate === undefined) !== (kubeletClientKey === undefined)) throw new FlagError("--kubelet-client-certificate and --kubelet-client-key are given together");
  const read = (file: string): string => readFileSync(file, "utf8");
  return (own) => ({
    preferredAddressTypes,
    certificate: kubeletClientCertificate === undefined ? own.kubeletClient.certificate : read(kubeletClientCertificate),
    key: kubeletClientKey === undefined ? own.kubeletClient.key : read(kubeletClientKey),
    ...(kubeletCertificateAuthority === undefined ? {} : { authority: read(kubeletCertificateAuthority) }),
  });
}
