import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRandom } from "@coxswain/runtime/random";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClusterCertificates, ensureCertificates } from "./index.js";

const day = 86_400_000;
const start = Date.UTC(2026, 5, 1);
const all = ["ca", "front-proxy-ca", "apiserver", "admin", "apiserver-kubelet-client", "front-proxy-client", "sa"];

describe("ensureCertificates", () => {
  let directory: string;
  beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), "pki-"))));
  afterEach(() => rmSync(directory, { recursive: true }));

  const file = (name: string): string => join(directory, "pki", name);
  const ensure = (options: { day?: number; hosts?: string[] } = {}): ClusterCertificates =>
    ensureCertificates(directory, {
      clock: { now: () => start + (options.day ?? 0) * day },
      random: systemRandom,
      hostName: "box",
      ...(options.hosts && { hosts: options.hosts }),
    });

  it("makes everything at the first start", () => {
    const made = ensure({ hosts: ["api.example", "203.0.113.9"] });
    expect(made.made).toEqual(all);
    const server = new X509Certificate(made.server.certificate);
    expect(server.checkIssued(new X509Certificate(made.ca.certificate))).toBe(true);
    for (const host of [
      "localhost",
      "kubernetes",
      "kubernetes.default",
      "kubernetes.default.svc",
      "kubernetes.default.svc.cluster.local",
      "box",
      "api.example",
    ])
      expect(server.checkHost(host)).toBe(host);
    for (const address of ["127.0.0.1", "::1", "10.96.0.1", "203.0.113.9"])
      expect(server.checkIP(address)).toBeTruthy();
    expect(new X509Certificate(made.admin.certificate).subject.split("\n")).toEqual([
      "O=system:masters",
      "CN=kubernetes-admin",
    ]);
    expect(
      new X509Certificate(made.frontProxyClient.certificate).checkIssued(
        new X509Certificate(made.frontProxyCa.certificate),
      ),
    ).toBe(true);
  });

  it("lets only the owner read keys", () => {
    ensure();
    for (const name of readdirSync(join(directory, "pki")))
      expect([name, statSync(file(name)).mode & 0o777]).toEqual([name, name.endsWith(".key") ? 0o600 : 0o644]);
  });

  it("keeps what is good", () => {
    const first = ensure();
    expect(ensure({ day: 300 })).toMatchObject({
      made: [],
      server: { key: first.server.key },
      admin: { certificate: first.admin.certificate },
      serviceAccount: { publicKey: first.serviceAccount.publicKey },
    });
  });

  const renewals: { name: string; later: { day?: number; hosts?: string[] }; damage?: () => void; made: string[] }[] = [
    {
      name: "renews what expires within 30 days",
      later: { day: 336 },
      made: ["apiserver", "admin", "apiserver-kubelet-client", "front-proxy-client"],
    },
    { name: "renews the server's when a host comes", later: { hosts: ["new.example"] }, made: ["apiserver"] },
    { name: "sees one address in two spellings as the same", later: { hosts: ["0:0::0001", "LOCALHOST"] }, made: [] },
    {
      name: "makes a lost client certificate again",
      later: {},
      damage: () => writeFileSync(file("admin.crt"), ""),
      made: ["admin"],
    },
    {
      name: "completes an authority whose certificate was never written",
      later: {},
      damage: () => rmSync(file("front-proxy-ca.crt")),
      made: ["front-proxy-ca"],
    },
    {
      name: "renews what another authority signed",
      later: {},
      damage: () => ["ca.crt", "ca.key"].forEach((name) => rmSync(file(name))),
      made: ["ca", "apiserver", "admin", "apiserver-kubelet-client"],
    },
    { name: "writes the public key again", later: {}, damage: () => rmSync(file("sa.pub")), made: [] },
  ];
  for (const { name, later, damage, made } of renewals) {
    it(name, () => {
      ensure();
      damage?.();
      expect(ensure(later).made).toEqual(made);
      expect(ensure(later).made).toEqual([]);
      expect(readFileSync(file("sa.pub"), "utf8")).toContain("PUBLIC KEY");
    });
  }

  const refusals = [
    {
      name: "a damaged certificate",
      damage: () =>
        writeFileSync(file("apiserver.crt"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
      message: /apiserver\.crt holds no certificate/,
    },
    {
      name: "a damaged key",
      damage: () => writeFileSync(file("admin.key"), "-"),
      message: /admin\.key holds no private key/,
    },
    {
      name: "a damaged token key",
      damage: () => writeFileSync(file("sa.key"), "x"),
      message: /sa\.key holds no private key/,
    },
    { name: "an authority without its key", damage: () => rmSync(file("ca.key")), message: /ca\.key is missing/ },
    {
      name: "an authority with another's key",
      damage: () => writeFileSync(file("ca.key"), readFileSync(file("sa.key"))),
      message: /ca\.key is not the key of .*ca\.crt/,
    },
    {
      name: "a leaf in place of an authority",
      damage: () =>
        ["crt", "key"].forEach((end) => writeFileSync(file(`ca.${end}`), readFileSync(file(`admin.${end}`)))),
      message: /ca\.crt holds no certificate of an authority/,
    },
  ];
  for (const { name, damage, message } of refusals) {
    it(`refuses ${name} by name`, () => {
      ensure();
      damage();
      expect(() => ensure()).toThrow(message);
    });
  }

  it("refuses an expired authority", () => {
    ensure();
    expect(() => ensure({ day: 3660 })).toThrow(/ca\.crt expired on 2036-05-29/);
  });

  it.skipIf(spawnSync("openssl", ["version"]).error !== undefined)("passes openssl's check", () => {
    ensure();
    const verify = (purpose: string, name: string): string =>
      spawnSync(
        "openssl",
        ["verify", "-x509_strict", "-no_check_time", "-purpose", purpose, "-CAfile", file("ca.crt"), file(name)],
        { encoding: "utf8" },
      ).stdout;
    expect(verify("sslserver", "apiserver.crt")).toMatch(/: OK$/m);
    expect(verify("sslclient", "admin.crt")).toMatch(/: OK$/m);
  });
});
