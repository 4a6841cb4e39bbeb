import { join } from "node:path";
import type { ControlPlaneFacts } from "./control-plane-facts.js";
import { etcdFilesIn } from "./shared-keys.js";

export interface ControlPlaneMachine {
  readonly dataDir: string;
  /** The load balancer's, from `cluster-info`. */
  readonly server: string;
  readonly address: string;
  readonly port: number;
  readonly facts: ControlPlaneFacts;
  readonly hasEtcdClient: boolean;
}

/** One process of a control-plane machine. */
export interface ControlPlaneProcess {
  readonly name: string;
  /** The subcommand of coxswain with its flags. */
  readonly args: readonly string[];
}

/** Components that go through the load balancer by a kubeconfig of their own. */
export const componentNames = ["kube-controller-manager", "kube-scheduler"] as const;
export const componentKubeconfig = (dataDir: string, name: (typeof componentNames)[number]): string =>
  join(dataDir, `${name}.kubeconfig`);

/** Pure: the processes of docs/production.md, for one more machine. */
export function planControlPlane(machine: ControlPlaneMachine): readonly ControlPlaneProcess[] {
  const { dataDir, address, port, server, facts } = machine;
  const pki = (file: string): string => join(dataDir, "pki", file);
  const etcd = etcdFilesIn(dataDir);
  const services = facts.serviceNetwork === undefined ? [] : [`--service-cluster-ip-range=${facts.serviceNetwork}`];
  const throughBalancer = (name: (typeof componentNames)[number]): string[] => {
    const kubeconfig = componentKubeconfig(dataDir, name);
    return [
      `--bind-address=${address}`,
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
    ];
  };
  return [
    {
      name: "apiserver",
      args: [
        "apiserver",
        `--data-dir=${dataDir}`,
        `--bind-address=${address}`,
        `--secure-port=${port}`,
        `--external-hostname=${new URL(server).hostname.replace(/^\[|\]$/g, "")}`,
        `--etcd-servers=${facts.etcdServers}`,
        ...(machine.hasEtcdClient
          ? [`--etcd-cafile=${etcd.ca}`, `--etcd-certfile=${etcd.certificate}`, `--etcd-keyfile=${etcd.key}`]
          : []),
        ...services,
        "--kubelet-preferred-address-types=InternalIP",
        "--allow-privileged",
        "--enable-bootstrap-token-auth",
      ],
    },
    {
      name: "controller-manager",
      args: [
        "controller-manager",
        ...throughBalancer("kube-controller-manager"),
        "--controllers=*,bootstrap-signer-controller,token-cleaner-controller",
        "--use-service-account-credentials",
        `--root-ca-file=${pki("ca.crt")}`,
        `--service-account-private-key-file=${pki("sa.key")}`,
        `--cluster-signing-cert-file=${pki("ca.crt")}`,
        `--cluster-signing-key-file=${pki("ca.key")}`,
        ...services,
        ...(facts.podNetwork === undefined ? [] : ["--allocate-node-cidrs", `--cluster-cidr=${facts.podNetwork}`]),
      ],
    },
    { name: "scheduler", args: ["scheduler", ...throughBalancer("kube-scheduler")] },
  ];
}
