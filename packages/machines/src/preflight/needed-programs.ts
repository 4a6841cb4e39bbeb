/** A program that machines need, and who has it. */
export interface NeededProgram {
  readonly name: string;
  /** Searched for after the directories of PATH. */
  readonly folders?: readonly string[];
  /** Package in Debian and Ubuntu, and in Fedora. */
  readonly debian: string;
  readonly fedora: string;
}

/** Where distributions put CNI plugins: Debian, containerd.io's and Kubernetes' packages, Fedora. */
export const cniFolders = ["/usr/lib/cni", "/opt/cni/bin", "/usr/libexec/cni"] as const;

const system = (debian: string, fedora: string, ...names: string[]): NeededProgram[] =>
  names.map((name) => ({ name, debian, fedora }));

export const neededPrograms: readonly NeededProgram[] = [
  ...system("containerd", "containerd", "containerd", "containerd-shim-runc-v2"),
  ...system("runc", "runc", "runc"),
  ...["bridge", "host-local", "loopback", "portmap"].map((name) => ({
    name,
    folders: cniFolders,
    debian: "containernetworking-plugins",
    fedora: "containernetworking-plugins",
  })),
  ...system("nftables", "nftables", "nft"),
  ...system("conntrack", "conntrack-tools", "conntrack"),
  ...system("iproute2", "iproute", "ip"),
  // For the plugin portmap, which host ports are made by.
  ...system("iptables", "iptables-nft", "iptables"),
  ...system("procps", "procps-ng", "sysctl"),
  ...system("util-linux", "util-linux", "unshare", "nsenter"),
  ...system("mount", "util-linux", "mount", "umount"),
];
