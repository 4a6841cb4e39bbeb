import { kubernetesRelease } from "@coxswain/api/release";
/**
 * `/version`. Clients read major, minor and gitVersion. `kubectl --match-server-version` wants gitVersion, gitCommit and gitTreeState
 * to be its own, so it accepts only a server that is configured with the commit of kubectl's build.
 */
export interface VersionInfo {
  major: string;
  minor: string;
  emulationMajor: string;
  emulationMinor: string;
  minCompatibilityMajor: string;
  minCompatibilityMinor: string;
  gitVersion: string;
  gitCommit: string;
  gitTreeState: string;
  buildDate: string;
  goVersion: string;
  compiler: string;
  platform: string;
}

export interface VersionOptions {
  /** Shown after a plus sign, as in "v1.36.4+coxswain.0.1.0". Tools that compare releases as texts want none. @default none */
  readonly suffix?: string;
  /** Commit of the build, or of the kubectl that has to match. @default "" */
  readonly commit?: string;
  /** When it was built, in RFC 3339. @default the epoch, for builds that can be reproduced */
  readonly buildDate?: string;
  /** What runs the server, where upstream names its Go: "node v20.20.2". */
  readonly runtime: string;
  /** Operating system and machine as Go calls them: "linux/amd64". */
  readonly platform: string;
}

export function versionInfo({
  suffix,
  commit = "",
  buildDate = "1970-01-01T00:00:00Z",
  runtime,
  platform,
}: VersionOptions): VersionInfo {
  const { major, minor, gitVersion } = kubernetesRelease;
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: suffix === undefined ? gitVersion : `${gitVersion}+${suffix}`,
    gitCommit: commit,
    gitTreeState: "clean",
    buildDate,
    goVersion: runtime,
    compiler: runtime.split(" ")[0] ?? "",
    platform,
  };
}

const systems: Readonly<Record<string, string>> = { win32: "windows" };
const machines: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

/** Go's names of what Node calls `process.platform` and `process.arch`. */
export const goPlatform = ({ platform, arch }: { platform: string; arch: string }): string =>
  `${systems[platform] ?? platform}/${machines[arch] ?? arch}`;
