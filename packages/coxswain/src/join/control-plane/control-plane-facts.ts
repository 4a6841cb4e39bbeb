/** What all control-plane machines of a cluster have in common, apart from its keys. */
export interface ControlPlaneFacts {
  /** URLs, by commas. */
  readonly etcdServers: string;
  /** The network of services; undefined: the API server's default. */
  readonly serviceNetwork: string | undefined;
  /** The network of pods; undefined: nodes get none from the controller manager. */
  readonly podNetwork: string | undefined;
}

/** The ConfigMap in `kube-system` that has them. */
export const controlPlaneName = "coxswain-control-plane";

export const factsToData = ({
  etcdServers,
  serviceNetwork,
  podNetwork,
}: ControlPlaneFacts): Record<string, string> => ({
  "etcd-servers": etcdServers,
  ...(serviceNetwork !== undefined && { "service-cluster-ip-range": serviceNetwork }),
  ...(podNetwork !== undefined && { "cluster-cidr": podNetwork }),
});

/** Undefined: no etcd is named. */
export function factsFromData(data: Readonly<Record<string, string>>): ControlPlaneFacts | undefined {
  const etcdServers = data["etcd-servers"];
  if (etcdServers === undefined) return undefined;
  return { etcdServers, serviceNetwork: data["service-cluster-ip-range"], podNetwork: data["cluster-cidr"] };
}
