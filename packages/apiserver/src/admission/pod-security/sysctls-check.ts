import type { Check, CheckPod } from "./check.js";

const safe = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
];
const safe27 = [...safe, "net.ipv4.ip_local_reserved_ports"];
const safe29 = [
  ...safe27,
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
];
const safe32 = [...safe29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"];

const allowing =
  (allowed: readonly string[]): CheckPod =>
  ({ spec }) => {
    const forbidden = (spec.securityContext?.sysctls ?? [])
      .map(({ name }) => name)
      .filter((name) => !allowed.includes(name));
    return forbidden.length > 0 ? { reason: "forbidden sysctls", detail: forbidden.join(", ") } : undefined;
  };

export const sysctls: Check = {
  id: "sysctls",
  level: "baseline",
  versions: [
    { from: 0, check: allowing(safe) },
    { from: 27, check: allowing(safe27) },
    { from: 29, check: allowing(safe29) },
    { from: 32, check: allowing(safe32) },
  ],
};
