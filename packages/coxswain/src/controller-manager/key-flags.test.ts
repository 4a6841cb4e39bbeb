import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureAuthority, ensureServiceAccountKey } from "@coxswain/component/certificates";
import { parseFlags } from "@coxswain/component/flags";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { peekClaims } from "@coxswain/wire/jwt";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { controllerManagerFlags } from "./controller-manager-flags.js";
import { settingsFrom } from "./settings-from-flags.js";

describe("keys and networks on the command line", () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "keys-"))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const settings = (...args: string[]) => {
    const parsed = parseFlags(controllerManagerFlags, args);
    if (parsed.kind === "help") throw new Error("help");
    return settingsFrom(parsed.options, parsed.given);
  };
  const authority = () =>
    ensureAuthority(folder, "ca", { clock: systemClock, random: systemRandom, commonName: "test" });

  it("without keys nothing is signed", () => expect(settings()).not.toHaveProperty("signServiceAccountToken"));
  it("tokens are signed with the key", async () => {
    const { privateKeyFile } = ensureServiceAccountKey(folder);
    const sign = settings("--service-account-private-key-file", privateKeyFile).signServiceAccountToken;
    expect(peekClaims((await sign?.({ sub: "me" })) ?? "")).toEqual({ sub: "me" });
  });
  it("a common authority signs for all signers, another for its own", () => {
    const { certificateFile, keyFile } = authority();
    const common = settings("--cluster-signing-cert-file", certificateFile, "--cluster-signing-key-file", keyFile);
    expect(Object.keys(common.certificateSigning?.signers ?? {})).toHaveLength(4);
    const own = [
      "--cluster-signing-kubelet-serving-cert-file",
      certificateFile,
      "--cluster-signing-kubelet-serving-key-file",
      keyFile,
    ];
    expect(Object.keys(settings(...own).certificateSigning?.signers ?? {})).toEqual(["kubernetes.io/kubelet-serving"]);
    expect(() =>
      settings("--cluster-signing-cert-file", certificateFile, "--cluster-signing-key-file", keyFile, ...own),
    ).toThrow("at the same time");
    expect(() => settings("--cluster-signing-cert-file", certificateFile)).toThrow("needs both");
  });
  it("networks of nodes are given only when asked for", () => {
    expect(settings("--cluster-cidr=10.0.0.0/8").nodeIpam).toBeUndefined();
    expect(
      settings(
        "--allocate-node-cidrs",
        "--cluster-cidr=10.0.0.0/8",
        "--service-cluster-ip-range=10.96.0.0/12",
        "--node-cidr-mask-size=25",
      ).nodeIpam,
    ).toEqual({ clusterCidrs: ["10.0.0.0/8"], serviceCidrs: ["10.96.0.0/12"], maskSize: 25 });
  });
  it("rates and periods are passed on", () =>
    expect(settings("--node-monitor-grace-period=40s", "--node-eviction-rate=0.5")).toMatchObject({
      nodeMonitorGracePeriodMs: 40_000,
      nodeEvictionRate: 0.5,
    }));
});
