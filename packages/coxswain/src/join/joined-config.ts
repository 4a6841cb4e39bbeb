/** What differs from machine to machine, or is not the cluster's to choose. */
export interface JoinedFacts {
  readonly address: string;
  /** A file. */
  readonly clientCa: string;
}

/** Members that name files and sockets of kubeadm's machines. */
const ofOtherMachines = ["staticPodPath", "containerRuntimeEndpoint", "resolvConf"];

/**
 * Pure: the cluster's KubeletConfiguration for this machine. kubeadm writes members that are not set as zeros, which stand for upstream's
 * defaults, and names systemd's control groups, which this kubelet does not use yet.
 */
export function joinedConfig(cluster: unknown, { address, clientCa }: JoinedFacts): string {
  const given =
    typeof cluster === "object" && cluster !== null && !Array.isArray(cluster) ? Object.entries(cluster) : [];
  const set = given.filter(([name, value]) => !isZero(value) && !ofOtherMachines.includes(name));
  const config = {
    ...Object.fromEntries(set),
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address,
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: clientCa } },
    cgroupDriver: "cgroupfs",
    rotateCertificates: true,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

const isZero = (value: unknown): boolean =>
  value === null ||
  value === "" ||
  value === "0s" ||
  value === 0 ||
  (typeof value === "object" && Object.keys(value).length === 0);
