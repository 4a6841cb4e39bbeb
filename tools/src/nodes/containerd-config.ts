import { networks, ports } from "./addresses.js";

/** Debian 12's is 1.6; 2.4 is built from its module. They differ in the form of their configuration. */
export type ContainerdVersion = "debian" | "2.4";

export interface ContainerdFacts {
  readonly version: ContainerdVersion;
  /** For the CNI configuration and what registries are asked for. */
  readonly cniFolder: string;
  readonly hostsFolder: string;
  readonly pauseImage: string;
}

export const containerdSocket = "/run/containerd/containerd.sock";

/** The runtime's options, in both forms: cgroupfs, and no lowering of the score by which the kernel picks whom to kill (it takes CAP_SYS_RESOURCE). */
export function containerdConfig({ version, cniFolder, hostsFolder, pauseImage }: ContainerdFacts): string {
  if (version === "debian")
    return `version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${cniFolder}"
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "${hostsFolder}"
`;
  return `version = 3
[plugins.'io.containerd.cri.v1.images'.pinned_images]
  sandbox = '${pauseImage}'
[plugins.'io.containerd.cri.v1.images'.registry]
  config_path = '${hostsFolder}'
[plugins.'io.containerd.cri.v1.runtime']
  restrict_oom_score_adj = true
  [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
    runtime_type = 'io.containerd.runc.v2'
    [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
      SystemdCgroup = false
  [plugins.'io.containerd.cri.v1.runtime'.cni]
    bin_dirs = ['/usr/lib/cni']
    conf_dir = '${cniFolder}'
`;
}

/** Pulls from registry.k8s.io go to our registry. */
export const registryHosts = `server = "https://registry.k8s.io"
[host."http://${networks.bridge}:${ports.registry}"]
  capabilities = ["pull", "resolve"]
`;

/** A bridge for the pods of one node, with host ports. No masquerading: pods reach each other by routes and the world not at all. */
export const cniConfig = (podCidr: string): string =>
  JSON.stringify({
    cniVersion: "1.0.0",
    name: "pods",
    plugins: [
      {
        type: "bridge",
        bridge: "cni0",
        isGateway: true,
        ipMasq: false,
        hairpinMode: true,
        ipam: { type: "host-local", ranges: [[{ subnet: podCidr }]], routes: [{ dst: "0.0.0.0/0" }] },
      },
      { type: "portmap", capabilities: { portMappings: true }, snat: true },
    ],
  });
