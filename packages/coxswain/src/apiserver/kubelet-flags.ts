import { readFileSync } from "node:fs";
import type { ApiServer, ApiServerOptions } from "@coxswain/apiserver";
import type { ClusterCertificates } from "@coxswain/component/certificates";
import { defineFlags, FlagError, type OptionsOf } from "@coxswain/component/flags";
import type { WatchedFiles } from "@coxswain/component/serving";
import type { Logger } from "@coxswain/runtime/log";
import { followClientCredentials } from "./client-credentials.js";

/** How the server reaches nodes, for logs, exec and the like. */
export const kubeletFlags = defineFlags({
  "kubelet-preferred-address-types": {
    group: "Nodes",
    type: "strings",
    default: ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"],
    value: "type,…",
    help: "Which of a node's addresses is taken to reach its kubelet: the first type that it has.",
  },
  "kubelet-client-certificate": {
    group: "Nodes",
    type: "string",
    value: "file",
    help: "The certificate that the server shows to kubelets. Default: one made in the data directory.",
  },
  "kubelet-client-key": { group: "Nodes", type: "string", value: "file", help: "The key of that certificate." },
  "kubelet-certificate-authority": {
    group: "Nodes",
    type: "string",
    value: "file",
    help: "The authorities that sign kubelets' certificates. Default: certificates are not verified.",
  },
});

export interface KubeletSetup {
  /** As the server takes them, with certificates of the data directory where no files are given. */
  read(own: Pick<ClusterCertificates, "kubeletClient">): NonNullable<ApiServerOptions["kubelet"]>;
  /** What is read. */
  readonly files: readonly string[];
}

export function kubeletFrom(options: OptionsOf<typeof kubeletFlags>): KubeletSetup {
  const {
    kubeletPreferredAddressTypes: preferredAddressTypes,
    kubeletClientCertificate,
    kubeletClientKey,
    kubeletCertificateAuthority,
  } = options;
  if ((kubeletClientCertificate === undefined) !== (kubeletClientKey === undefined))
    throw new FlagError("--kubelet-client-certificate and --kubelet-client-key are given together");
  const read = (file: string): string => readFileSync(file, "utf8");
  return {
    files: [kubeletClientCertificate, kubeletClientKey, kubeletCertificateAuthority].filter(
      (file) => file !== undefined,
    ),
    read: (own) => ({
      preferredAddressTypes,
      certificate:
        kubeletClientCertificate === undefined ? own.kubeletClient.certificate : read(kubeletClientCertificate),
      key: kubeletClientKey === undefined ? own.kubeletClient.key : read(kubeletClientKey),
      ...(kubeletCertificateAuthority === undefined ? {} : { authority: read(kubeletCertificateAuthority) }),
    }),
  };
}

export const followKubelet = (
  { files, read }: KubeletSetup,
  own: () => Pick<ClusterCertificates, "kubeletClient">,
  server: Pick<ApiServer, "replaceKubeletCredentials">,
  log: Pick<Logger, "info" | "warn">,
): WatchedFiles =>
  followClientCredentials(
    {
      files,
      read: () => read(own()),
      use({ certificate = "", key = "", authority }) {
        server.replaceKubeletCredentials({ certificate, key, ...(authority === undefined ? {} : { authority }) });
      },
      whom: "kubelets",
    },
    log,
  );
