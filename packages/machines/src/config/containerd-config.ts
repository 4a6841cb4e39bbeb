export interface ContainerdFacts {
  /** 1 and 2 differ in the form of their configuration. */
  readonly majorVersion: number;
  readonly cniFolder: string;
  /** Where CNI plugins are; version 1 takes the first. */
  readonly cniPrograms: readonly string[];
  /** What registries are reached by (`hosts.toml`). */
  readonly hostsFolder: string;
  readonly pauseImage: string;
  /** Whether it may lower the score by which the kernel picks whom to kill: that takes CAP_SYS_RESOURCE. */
  readonly mayLowerOomScores: boolean;
}

/** In the machine's own /run. */
export const containerdSocket = "/run/containerd/containerd.sock";

/** cgroupfs, and nothing that is not the machine's own. Of TOML only strings, lists and booleans: JSON has the same. */
export function containerdConfig(facts: ContainerdFacts): string {
  const restricts = !facts.mayLowerOomScores;
  const text = (value: string): string => JSON.stringify(value);
  if (facts.majorVersion < 2)
    return `version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = ${text(facts.pauseImage)}
  restrict_oom_score_adj = ${restricts}
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = ${text(facts.cniPrograms[0] ?? "")}
    conf_dir = ${text(facts.cniFolder)}
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = ${text(facts.hostsFolder)}
`;
  return `version = 3
[plugins."io.containerd.cri.v1.images".pinned_images]
  sandbox = ${text(facts.pauseImage)}
[plugins."io.containerd.cri.v1.images".registry]
  config_path = ${text(facts.hostsFolder)}
[plugins."io.containerd.cri.v1.runtime"]
  restrict_oom_score_adj = ${restricts}
  [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
      SystemdCgroup = false
  [plugins."io.containerd.cri.v1.runtime".cni]
    bin_dirs = ${JSON.stringify(facts.cniPrograms)}
    conf_dir = ${text(facts.cniFolder)}
`;
}

/** The major version in the output of `containerd --version`: "containerd SOURCE VERSION REVISION". Undefined: it is none. */
export function parseContainerdVersion(output: string): number | undefined {
  const major = /^v?(\d+)\./.exec(output.split(" ")[2] ?? "")?.[1];
  return major === undefined ? undefined : Number(major);
}
