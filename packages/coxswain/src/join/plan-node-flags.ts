import { join } from "node:path";

/** What the cluster's ConfigMap `coxswain-node-network` has. */
export interface ClusterNetwork {
  readonly pods: string;
  readonly nodes: string;
  readonly tunnel: string;
  readonly gateway: string;
}

export interface NodeRunFacts {
  readonly dataDir: string;
  readonly nodeName: string;
  readonly nodeIp: string;
  readonly endpoint: string;
  /** Undefined: the network is somebody else's to make. */
  readonly network: ClusterNetwork | undefined;
  readonly cniFolder: string;
  /** Whether the node may read what a service proxy reads. */
  readonly hasProxy: boolean;
}

/** Names of the files that a node that joined has. */
export const nodePlaces = (dataDir: string) => ({
  kubeconfig: join(dataDir, "kubelet.kubeconfig"),
  config: join(dataDir, "kubelet.json"),
  authority: join(dataDir, "ca.crt"),
  certificate: join(dataDir, "pki", "kubelet-client-current.pem"),
  state: join(dataDir, "join.json"),
});

/** Pure: the flags of `coxswain node run` for a machine that joined. */
export function planNodeFlags(facts: NodeRunFacts): string[] {
  const { kubeconfig, config, authority } = nodePlaces(facts.dataDir);
  const { network } = facts;
  return [
    `--kubeconfig=${kubeconfig}`,
    `--config=${config}`,
    `--client-ca-file=${authority}`,
    `--authority-file=${authority}`,
    `--hostname-override=${facts.nodeName}`,
    `--node-ip=${facts.nodeIp}`,
    `--container-runtime-endpoint=${facts.endpoint}`,
    ...(facts.hasProxy ? [] : ["--service-proxy=false"]),
    ...(network
      ? [
          `--cluster-cidr=${network.pods}`,
          `--masquerade-pods=${network.pods}`,
          `--cni-conf-dir=${facts.cniFolder}`,
          `--pod-tunnel=${network.tunnel}`,
          `--machines-behind=${network.nodes}=${network.gateway}`,
        ]
      : []),
  ];
}

/** Pure: a systemd unit that runs a command line. Words with blanks or quotes are quoted (systemd.service(5)). */
export const systemdUnit = (nodeName: string, command: readonly string[]): string => `[Unit]
Description=Coxswain node ${nodeName}
After=network-online.target containerd.service
Wants=network-online.target containerd.service

[Service]
ExecStart=${command.map(unitWord).join(" ")}
Restart=always
RestartSec=2
KillMode=process
Delegate=yes
LimitNOFILE=1048576

[Install]
WantedBy=multi-user.target
`;

/** `%` and `$` begin specifiers and variables. */
const unitWord = (word: string): string => {
  const escaped = word.replaceAll("%", "%%").replaceAll("$", "$$$$");
  return /^[\w@%+=:,./$-]+$/.test(escaped) ? escaped : JSON.stringify(escaped);
};
