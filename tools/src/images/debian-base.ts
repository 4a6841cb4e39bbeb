/** What the images of the suite have from Alpine's and Debian's packages. */
const packages = [
  "apache2-bin",
  "bash",
  "bind9-dnsutils",
  "busybox-static",
  "ca-certificates",
  "coreutils",
  "curl",
  "iperf",
  "iproute2",
  "libcap2-bin",
  "netcat-openbsd",
  "nginx-light",
  "perl",
  "procps",
  "util-linux",
  // That of busybox, linked statically, crashes in the node's network.
  "wget",
];

/** Alpine has these from busybox. */
const applets = ["ping", "telnet", "traceroute", "vi"];

/** Who is defined in the image of agnhost, which tests of supplemental groups read back. */
const users = {
  "etc/passwd": ["user-defined-in-image:x:1000:1000::/home/user-defined-in-image:/bin/sh"],
  "etc/group": ["user-defined-in-image:x:1000:", "group-defined-in-image:x:50000:user-defined-in-image"],
};

/** The command that makes the root file system below the suite's images, as a tar archive. Device files stay out: runtimes make them. */
export const planDebianBase = (file: string): readonly string[] => [
  "mmdebstrap",
  "--quiet",
  "--variant=minbase",
  `--include=${packages.join(",")}`,
  ...Object.entries(users).flatMap(([path, lines]) =>
    lines.map((line) => `--customize-hook=echo "${line}" >> "$1/${path}"`),
  ),
  ...applets.map((name) => `--customize-hook=ln -s /bin/busybox "$1/usr/local/bin/${name}"`),
  '--customize-hook=rm -rf "$1"/usr/share/doc/*',
  "--skip=output/dev",
  "--format=tar",
  "bookworm",
  file,
];
