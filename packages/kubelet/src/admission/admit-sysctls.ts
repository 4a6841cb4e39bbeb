import type { CachedPod } from "../objects/cached-pod.js";
import type { PodAdmission } from "./admit-pod.js";

/** Sysctls that touch no other pod, with the first kernel that has them per namespace. Upstream's `pkg/kubelet/sysctl/safe_sysctls.go`. */
const safeSysctls: Readonly<Record<string, readonly [major: number, minor: number]>> = {
  "kernel.shm_rmid_forced": [0, 0],
  "net.ipv4.ip_local_port_range": [0, 0],
  "net.ipv4.tcp_syncookies": [0, 0],
  "net.ipv4.ping_group_range": [0, 0],
  "net.ipv4.ip_unprivileged_port_start": [0, 0],
  "net.ipv4.ip_local_reserved_ports": [3, 16],
  "net.ipv4.tcp_keepalive_time": [4, 5],
  "net.ipv4.tcp_fin_timeout": [4, 6],
  "net.ipv4.tcp_keepalive_intvl": [4, 5],
  "net.ipv4.tcp_keepalive_probes": [4, 5],
  "net.ipv4.tcp_rmem": [4, 15],
  "net.ipv4.tcp_wmem": [4, 15],
};

/** Which namespace of the kernel a sysctl belongs to. Upstream's `pkg/util/sysctl/namespace` of component-helpers. */
const namespaces = [
  { prefix: "kernel.sem", kind: "IPC", isWhole: true },
  { prefix: "kernel.shm", kind: "IPC" },
  { prefix: "kernel.msg", kind: "IPC" },
  { prefix: "fs.mqueue.", kind: "IPC" },
  { prefix: "net.", kind: "Net" },
] as const;

export interface SysctlRules {
  /** Of the node: `6.1.0-13-amd64`. */
  readonly kernelVersion: string;
  /** What an administrator allows besides, whole names or prefixes with a star (`allowedUnsafeSysctls`). */
  readonly unsafe: readonly string[];
}

/** Pure: whether a pod's sysctls may be set here. Upstream's `pkg/kubelet/sysctl/allowlist.go`, `Admit`. */
export function admitSysctls(pod: CachedPod, rules: SysctlRules): PodAdmission {
  for (const { name } of pod.spec?.securityContext?.sysctls ?? []) {
    const refusal = refuse(name.replaceAll("/", "."), pod, rules);
    if (refusal !== undefined)
      return { admitted: false, reason: "SysctlForbidden", message: `forbidden sysctl: ${refusal}` };
  }
  return { admitted: true };
}

function refuse(name: string, pod: CachedPod, { kernelVersion, unsafe }: SysctlRules): string | undefined {
  const least = Object.hasOwn(safeSysctls, name) ? safeSysctls[name] : undefined;
  const isAllowed =
    (least !== undefined && isAtLeast(kernelVersion, least)) || unsafe.some((pattern) => matches(name, pattern));
  if (!isAllowed) return `"${name}" not allowlisted`;
  const kind = namespaceOf(name);
  if ((kind === "IPC" && pod.spec?.hostIPC) || (kind === "Net" && pod.spec?.hostNetwork))
    return `"${name}" not allowed with host ${kind} enabled`;
  return undefined;
}

const matches = (name: string, pattern: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** Undefined: of the whole machine. */
export const namespaceOf = (name: string): "IPC" | "Net" | undefined =>
  namespaces.find((each) => ("isWhole" in each ? name === each.prefix : name.startsWith(each.prefix)))?.kind;

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [, first = "0", second = "0"] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(first) > major || (Number(first) === major && Number(second) >= minor);
}
