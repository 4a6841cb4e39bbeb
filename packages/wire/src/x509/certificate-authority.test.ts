import { execFileSync, spawnSync } from "node:child_process";
import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createServer, type TLSSocket } from "node:tls";
import { describe, expect, it } from "vitest";
import {
  createAuthority,
  createClientIdentity,
  createServerIdentity,
  DerError,
  encodePrivateKey,
  fingerprint,
  hasKey,
  type Identity,
  isSignedBy,
  issueCertificate,
  publicKeyOf,
  readCertificate,
  readCertificates,
} from "./index.js";

const random = { bytes: (length: number) => new Uint8Array(length).fill(0xa5) };
const day = 86_400_000;
const validity = { notBefore: Date.now() - day, notAfter: Date.now() + 365 * day, random };
const hosts = ["localhost", "kubernetes.default.svc", "127.0.0.1", "::1", "2001:db8::7"];

const create = (): { ca: Identity; server: Identity; client: Identity } => {
  const ca = createAuthority({ subject: { commonName: "test-ca" }, ...validity });
  return {
    ca,
    server: createServerIdentity(ca, { subject: { commonName: "server" }, hosts, ...validity }),
    client: createClientIdentity(ca, {
      subject: { commonName: "jane", organizations: ["system:masters", "dev"] },
      ...validity,
    }),
  };
};

describe("a certificate authority", () => {
  const { ca, server, client } = create();

  it("writes what it then reads", () => {
    const read = readCertificate(server.certificate.der);
    expect(read.subject.commonName).toBe("server");
    expect(read.issuer.commonName).toBe("test-ca");
    expect(read.extensions.names).toEqual({
      dnsNames: hosts.slice(0, 2),
      ipAddresses: hosts.slice(2),
      emailAddresses: [],
      uris: [],
    });
    expect(read.extensions).toMatchObject({
      isCa: false,
      keyUsage: ["digitalSignature", "keyEncipherment"],
      extendedKeyUsage: ["serverAuth"],
    });
    expect(read.extensions.authorityKeyId).toEqual(ca.certificate.extensions.subjectKeyId);
    expect(read.notAfter).toBe(Math.floor(validity.notAfter / 1000) * 1000);
    expect(read.serialNumber).toBe(`65${"a5".repeat(15)}`);
    expect(ca.certificate.extensions).toMatchObject({
      isCa: true,
      keyUsage: ["digitalSignature", "keyEncipherment", "keyCertSign"],
    });
    // DER sorts the members of a set, and the shorter "dev" comes first.
    expect(readCertificates(client.pem)[0]?.subject).toMatchObject({
      commonName: "jane",
      organizations: ["dev", "system:masters"],
    });
  });

  it("agrees with Node's own reader", () => {
    const node = new X509Certificate(server.pem);
    expect(node.checkIssued(new X509Certificate(ca.pem))).toBe(true);
    expect(node.verify(new X509Certificate(ca.pem).publicKey)).toBe(true);
    expect(node.checkHost("kubernetes.default.svc")).toBe("kubernetes.default.svc");
    expect(node.checkIP("2001:db8::7")).toBe("2001:db8::7");
    expect(node.serialNumber.toLowerCase()).toBe(server.certificate.serialNumber);
    expect(node.fingerprint256.replaceAll(":", "").toLowerCase()).toBe(fingerprint(server.certificate));
    expect(node.checkPrivateKey(createPrivateKey(encodePrivateKey(server.privateKey)))).toBe(true);
  });

  it("knows whose signature and whose key it is", () => {
    const stranger = createAuthority({ subject: { commonName: "test-ca" }, ...validity });
    expect(isSignedBy(server.certificate, ca.certificate)).toBe(true);
    expect(isSignedBy(server.certificate, stranger.certificate)).toBe(false);
    expect(isSignedBy(server.certificate, client.certificate)).toBe(false);
    const unreadable = { ...ca.certificate, publicKeyInfo: Buffer.from("3000", "hex") };
    expect(isSignedBy(server.certificate, unreadable)).toBe(false);
    expect(() => publicKeyOf(unreadable)).toThrow(DerError);
    expect(hasKey(server.certificate, server.privateKey)).toBe(true);
    expect(hasKey(server.certificate, client.privateKey)).toBe(false);
  });

  it("binds no name but those that it may sign for", async () => {
    const local = createAuthority({
      subject: { commonName: "local" },
      permittedDnsNames: ["localhost"],
      ...validity,
    });
    const outcomes = await Promise.all(
      ["web.localhost", "localhost", "example.com", "127.0.0.1"].map(async (host) => {
        const leaf = createServerIdentity(local, { subject: { commonName: "leaf" }, hosts: [host], ...validity });
        const listener = createServer({ cert: leaf.pem, key: encodePrivateKey(leaf.privateKey) }, (socket) =>
          socket.end(),
        );
        listener.on("tlsClientError", () => {}).listen(0, "127.0.0.1");
        await once(listener, "listening");
        const { port } = listener.address() as AddressInfo;
        const checkServerIdentity = (): undefined => undefined; // the chain alone
        const client = connect({ host: "127.0.0.1", port, ca: local.pem, checkServerIdentity });
        const outcome = await once(client, "secureConnect").then(
          () => "trusted",
          ({ message }: Error) => message,
        );
        client.destroy();
        listener.close();
        return `${host}: ${outcome}`;
      }),
    );
    expect(outcomes).toEqual([
      "web.localhost: trusted",
      "localhost: trusted",
      "example.com: permitted subtree violation",
      "127.0.0.1: excluded subtree violation",
    ]);
  });

  const keys = [
    { name: "RSA", pair: () => generateKeyPairSync("rsa", { modulusLength: 2048 }) },
    { name: "P-384", pair: () => generateKeyPairSync("ec", { namedCurve: "P-384" }) },
    { name: "Ed25519", pair: () => generateKeyPairSync("ed25519") },
  ];
  for (const { name, pair } of keys) {
    it(`signs with ${name}`, () => {
      const { publicKey, privateKey } = pair();
      const own = issueCertificate(
        { subject: { commonName: name }, publicKey, isCa: true, ...validity },
        { privateKey },
        random,
      );
      const leaf = createServerIdentity(
        { certificate: own.certificate, privateKey },
        { subject: {}, hosts, ...validity },
      );
      expect(isSignedBy(leaf.certificate, own.certificate)).toBe(true);
      expect(new X509Certificate(leaf.pem).verify(publicKey)).toBe(true);
    });
  }

  it("writes years from 2050 on in four digits", () => {
    const late = createAuthority({
      subject: { commonName: "late" },
      random,
      notBefore: Date.UTC(2049, 11, 31),
      notAfter: Date.UTC(2050, 0, 1),
    });
    expect([late.certificate.notBefore, late.certificate.notAfter]).toEqual([
      Date.UTC(2049, 11, 31),
      Date.UTC(2050, 0, 1),
    ]);
    expect(new X509Certificate(late.pem).validTo).toBe("Jan  1 00:00:00 2050 GMT");
  });

  it("holds in a handshake of both sides", async () => {
    const listener = createServer({
      cert: server.pem,
      key: encodePrivateKey(server.privateKey),
      ca: ca.pem,
      requestCert: true,
      rejectUnauthorized: true,
    });
    listener.listen(0, "127.0.0.1");
    await once(listener, "listening");
    const seen = once(listener, "secureConnection") as Promise<[TLSSocket]>;
    const socket = connect({
      port: (listener.address() as AddressInfo).port,
      host: "localhost",
      ca: ca.pem,
      cert: client.pem,
      key: encodePrivateKey(client.privateKey),
    });
    await once(socket, "secureConnect");
    const [peer] = await seen;
    expect(peer.authorized).toBe(true);
    expect(readCertificate(peer.getPeerCertificate().raw).subject.organizations).toContain("system:masters");
    socket.destroy();
    listener.close();
  });

  it.skipIf(spawnSync("openssl", ["version"]).error !== undefined)("passes openssl's check", () => {
    const folder = mkdtempSync(join(tmpdir(), "x509-"));
    for (const [name, { pem }] of Object.entries({ ca, server, client })) writeFileSync(join(folder, name), pem);
    const verify = (name: string, purpose: string): string =>
      execFileSync(
        "openssl",
        ["verify", "-x509_strict", "-purpose", purpose, "-CAfile", join(folder, "ca"), join(folder, name)],
        { encoding: "utf8" },
      );
    expect(verify("server", "sslserver")).toMatch(/: OK$/m);
    expect(verify("client", "sslclient")).toMatch(/: OK$/m);
    rmSync(folder, { recursive: true });
  });
});
