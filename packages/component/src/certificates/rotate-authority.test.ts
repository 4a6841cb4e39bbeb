import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { silentLogger } from "@coxswain/runtime/log";
import { systemRandom } from "@coxswain/runtime/random";
import { isSignedBy, readCertificates } from "@coxswain/wire/x509";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  abandonRotation,
  beginRotation,
  type ClusterCertificates,
  certificateFilesIn,
  createRequestSigner,
  ensureCertificates,
  finishRotation,
  followCertificates,
  leavesOf,
  listCertificates,
  renewLeaves,
  rotationStage,
  switchAuthority,
} from "./index.js";

const day = 86_400_000;

describe("certificates of a cluster's folder", () => {
  let directory: string;
  let folder: string;
  const clock = createVirtualClock({ startMs: Date.parse("2030-01-01T00:00:00Z") });
  const options = { clock, random: systemRandom, hostName: "here" };
  const ensure = (): ClusterCertificates => ensureCertificates(directory, options);
  const [of, trusts] = [
    (pem: string) => readCertificates(pem)[0]!,
    (bundle: string, pem: string) => readCertificates(bundle).some((ca) => isSignedBy(readCertificates(pem)[0]!, ca)),
  ];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "coxswain-certs-"));
    folder = join(directory, "pki");
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it("an authority is rotated by overlap: at no step does anybody distrust what was signed at the one before", () => {
    const before = ensure();
    expect(rotationStage(folder, "ca")).toBe("not-begun");
    beginRotation(folder, "ca", options);
    const begun = ensure();
    expect(begun.made).toEqual([]);
    expect(begun.admin.certificate).toBe(before.admin.certificate);
    expect(readCertificates(begun.ca.certificate)).toHaveLength(2);
    expect(begun.ca.key).toBe(before.ca.key);
    switchAuthority(folder, "ca");
    const switched = ensure();
    expect(switched.made).toEqual(["apiserver", "admin", "apiserver-kubelet-client"]);
    expect(switched.ca.key).not.toBe(before.ca.key);
    // Clients that know only the first step's bundle trust the new server, and the server trusts clients of before.
    expect(trusts(begun.ca.certificate, switched.server.certificate)).toBe(true);
    expect(trusts(switched.ca.certificate, before.admin.certificate)).toBe(true);
    expect(leavesOf(folder, "ca", options).every(({ isCurrent }) => isCurrent)).toBe(true);
    finishRotation(folder, "ca");
    const finished = ensure();
    expect(finished.made).toEqual([]);
    expect(rotationStage(folder, "ca")).toBe("not-begun");
    expect(trusts(finished.ca.certificate, switched.admin.certificate)).toBe(true);
    expect(trusts(finished.ca.certificate, before.admin.certificate)).toBe(false);
    expect(finished.frontProxyClient.certificate).toBe(before.frontProxyClient.certificate);
  });

  it("requests are signed by the certificate of the bundle that has the key", () => {
    ensure();
    beginRotation(folder, "ca", options);
    switchAuthority(folder, "ca");
    const { ca } = ensure();
    expect(() => createRequestSigner({ ...options, certificate: ca.certificate, key: ca.key })).not.toThrow();
  });

  it("steps in another order are refused, and a rotation that has only begun can be abandoned", () => {
    const before = ensure();
    expect(() => switchAuthority(folder, "ca")).toThrow("call `begin` first");
    expect(() => finishRotation(folder, "ca")).toThrow("call `begin` and `switch` first");
    beginRotation(folder, "ca", options);
    expect(() => beginRotation(folder, "ca", options)).toThrow("under way already");
    abandonRotation(folder, "ca");
    expect(of(ensure().ca.certificate).der).toEqual(of(before.ca.certificate).der);
  });

  it("the second authority's key can be read by its owner alone", () => {
    ensure();
    beginRotation(folder, "front-proxy-ca", options);
    expect(statSync(join(folder, "front-proxy-ca-next.key")).mode & 0o777).toBe(0o600);
  });

  it("renewed certificates have new keys, the same subjects and the same hosts", () => {
    const before = ensure();
    expect(renewLeaves(folder, [], options).sort()).toEqual([
      "admin",
      "apiserver",
      "apiserver-kubelet-client",
      "front-proxy-client",
    ]);
    const after = ensure();
    expect(after.made).toEqual([]);
    expect(after.server.key).not.toBe(before.server.key);
    expect(of(after.server.certificate).extensions.names).toEqual(of(before.server.certificate).extensions.names);
    expect(of(after.admin.certificate).subject).toEqual(of(before.admin.certificate).subject);
    expect(() => renewLeaves(folder, ["nobody"], options)).toThrow("nobody");
  });

  it("all of a folder are listed, the one that ends first before the others", () => {
    ensure();
    const { certificates, unreadable } = listCertificates([...certificateFilesIn(folder), join(folder, "sa.pub")]);
    expect(certificates).toHaveLength(6);
    expect(certificates.at(-1)!.certificate.extensions.isCa).toBe(true);
    expect(unreadable).toEqual([{ file: join(folder, "sa.pub"), error: "holds no certificate" }]);
  });

  it("a server that runs renews its certificates a month before they end, and goes on with the old ones when it cannot", async () => {
    const current = ensure();
    const used: ClusterCertificates[] = [];
    const following = followCertificates(
      directory,
      { ...options, log: silentLogger },
      { current, use: (next) => void used.push(next) },
    );
    await clock.advance(330 * day);
    expect(used).toEqual([]);
    await clock.advance(7 * day);
    expect(used.map(({ made }) => made)).toEqual([
      ["apiserver", "admin", "apiserver-kubelet-client", "front-proxy-client"],
    ]);
    expect(of(used[0]!.server.certificate).notAfter).toBeGreaterThan(clock.now() + 330 * day);
    following.stop();
  });
});
