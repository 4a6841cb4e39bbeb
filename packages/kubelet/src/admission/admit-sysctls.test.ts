import type { PodSpec } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { pod } from "../pod/pod.test.support.js";
import { admitSysctls } from "./admit-sysctls.js";

const cases: { sysctl: string; kernel?: string; unsafe?: string[]; spec?: Partial<PodSpec>; refusal?: string }[] = [
  { sysctl: "kernel.shm_rmid_forced" },
  { sysctl: "net/ipv4/tcp_syncookies" },
  { sysctl: "net.ipv4.tcp_keepalive_time" },
  {
    sysctl: "net.ipv4.tcp_keepalive_time",
    kernel: "4.4.0",
    refusal: `forbidden sysctl: "net.ipv4.tcp_keepalive_time" not allowlisted`,
  },
  { sysctl: "kernel.msgmax", refusal: `forbidden sysctl: "kernel.msgmax" not allowlisted` },
  { sysctl: "kernel.msgmax", unsafe: ["kernel.msg*"] },
  { sysctl: "net.core.somaxconn", unsafe: ["net.core.somaxconn"] },
  {
    sysctl: "net.ipv4.tcp_syncookies",
    spec: { hostNetwork: true },
    refusal: `forbidden sysctl: "net.ipv4.tcp_syncookies" not allowed with host Net enabled`,
  },
  {
    sysctl: "kernel.shm_rmid_forced",
    spec: { hostIPC: true },
    refusal: `forbidden sysctl: "kernel.shm_rmid_forced" not allowed with host IPC enabled`,
  },
];

describe("sysctls of a pod", () => {
  for (const { sysctl, kernel = "6.1.0-13-amd64", unsafe = [], spec, refusal } of cases)
    it(`${sysctl} on ${kernel}${unsafe.length > 0 ? `, with ${unsafe.join()}` : ""}${spec ? ` and ${Object.keys(spec).join()}` : ""}`, () => {
      const asking = pod({ ...spec, securityContext: { sysctls: [{ name: sysctl, value: "1" }] } });
      expect(admitSysctls(asking, { kernelVersion: kernel, unsafe })).toEqual(
        refusal === undefined ? { admitted: true } : { admitted: false, reason: "SysctlForbidden", message: refusal },
      );
    });
});
