import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  createAuthority,
  createCertificateRequest,
  decodeCertificateRequest,
  generateKeyPair,
  isSelfSigned,
  isSignedBy,
  issueCertificate,
  namesOfHosts,
  readCertificateRequest,
} from "./index.js";

const random = { bytes: (length: number) => new Uint8Array(length).fill(1) };
const validity = { notBefore: Date.UTC(2026, 0, 1), notAfter: Date.UTC(2027, 0, 1) };
const { privateKey } = generateKeyPair();
const subject = { commonName: "system:node:a", organizations: ["system:nodes"] };
const hosts = ["a.example", "192.0.2.1"];

describe("a certificate request", () => {
  const pem = createCertificateRequest({ subject, privateKey, names: namesOfHosts(hosts) });

  it("is read back, and proves that its sender holds the key", () => {
    const request = decodeCertificateRequest(pem)!;
    expect(request.subject).toMatchObject(subject);
    expect(request.extensions.names).toMatchObject({ dnsNames: ["a.example"], ipAddresses: ["192.0.2.1"] });
    expect(isSelfSigned(request)).toBe(true);
  });

  it("no longer proves it once a byte has changed", () => {
    const request = decodeCertificateRequest(pem)!;
    const bytes = Buffer.from(request.signed.bytes);
    bytes[bytes.indexOf("system:node:a") + 12] = 0x62;
    expect(isSelfSigned({ ...request, signed: { ...request.signed, bytes } })).toBe(false);
  });

  it("does not prove it where the key is none", () => {
    const request = decodeCertificateRequest(pem)!;
    expect(isSelfSigned({ ...request, publicKeyInfo: Buffer.from("3000", "hex") })).toBe(false);
  });

  it("becomes a certificate with the same subject and key", () => {
    const ca = createAuthority({ subject: { commonName: "ca" }, random, ...validity });
    const request = decodeCertificateRequest(pem)!;
    const template = {
      subject: { encoded: request.subjectBytes },
      publicKey: request.publicKeyInfo,
      names: request.extensions.names,
      extendedKeyUsage: ["serverAuth"],
      ...validity,
    };
    const { certificate } = issueCertificate(template, ca, random);
    expect(isSignedBy(certificate, ca.certificate)).toBe(true);
    expect(certificate.subjectBytes).toEqual(request.subjectBytes);
    expect(certificate.publicKeyInfo).toEqual(request.publicKeyInfo);
  });

  it.skipIf(spawnSync("openssl", ["version"]).error !== undefined)(
    "passes openssl's check, and openssl's passes ours",
    () => {
      expect(
        execFileSync("openssl", ["req", "-noout", "-verify", "-subject"], {
          input: pem,
          encoding: "utf8",
          stdio: ["pipe", "pipe", "pipe"],
        }),
      ).toContain("CN = system:node:a");
      const theirs = execFileSync(
        "openssl",
        [
          "req",
          "-new",
          "-newkey",
          "rsa:2048",
          "-nodes",
          "-keyout",
          "/dev/null",
          "-subj",
          "/O=o/CN=c",
          "-addext",
          "subjectAltName=DNS:x.example",
        ],
        { encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] },
      );
      const request = decodeCertificateRequest(theirs)!;
      expect(request.subject).toMatchObject({ commonName: "c", organizations: ["o"] });
      expect(request.extensions.names.dnsNames).toEqual(["x.example"]);
      expect(isSelfSigned(request)).toBe(true);
    },
  );

  const broken = [
    { name: "nothing", bytes: [] },
    { name: "an indefinite length", bytes: [0x30, 0x80, 0, 0] },
    { name: "an element longer than the input", bytes: [0x30, 5, 0] },
    { name: "bytes after the end", bytes: [0x30, 0, 0] },
    { name: "another type", bytes: [0x04, 0] },
    { name: "an empty sequence", bytes: [0x30, 0] },
  ];
  for (const { name, bytes } of broken)
    it(`is not ${name}`, () => expect(() => readCertificateRequest(Buffer.from(bytes))).toThrow(/./));
});
