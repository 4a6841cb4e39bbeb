/** What nodes need of Debian, by the file that shows that a package is there. */
export const debianPackages: Readonly<Record<string, string>> = {
  "bash-static": "/bin/bash-static",
  "busybox-static": "/bin/busybox",
  conntrack: "/usr/sbin/conntrack",
  containerd: "/usr/bin/containerd",
  "containernetworking-plugins": "/usr/lib/cni/bridge",
  gcc: "/usr/bin/gcc",
  iproute2: "/sbin/ip",
  iptables: "/usr/sbin/iptables",
  kmod: "/sbin/modprobe",
  "libc6-dev": "/usr/include/stdlib.h",
  mmdebstrap: "/usr/bin/mmdebstrap",
  nftables: "/usr/sbin/nft",
  procps: "/sbin/sysctl",
  runc: "/usr/sbin/runc",
  socat: "/usr/bin/socat",
};

/** Only needed to make images, not to run nodes. */
const forImages = new Set(["bash-static", "gcc", "libc6-dev", "mmdebstrap"]);

export const missingPackages = (exists: (path: string) => boolean, { toRun = false } = {}): string[] =>
  Object.entries(debianPackages).flatMap(([name, path]) =>
    exists(path) || (toRun && forImages.has(name)) ? [] : [name],
  );

/** `apt-get` with nobody to answer its questions, and no service started of what is installed. */
export const planInstall = (packages: readonly string[]): readonly string[] => [
  "env",
  "DEBIAN_FRONTEND=noninteractive",
  "apt-get",
  "install",
  "--yes",
  "--no-install-recommends",
  ...packages,
];
