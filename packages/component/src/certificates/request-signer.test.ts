import { systemRandom } from "@coxswain/runtime/random";
import {
  createAuthority,
  createCertificateRequest,
  decodeCertificates,
  encodePrivateKey,
  generateKeyPair,
  isSignedBy,
  readCertificate,
} from "@coxswain/wire/x509";
import { describe, expect, it } from "vitest";
import { createRequestSigner, readRequestFacts } from "./index.js";

const now = Date.UTC(2026, 0, 1);
const minute = 60_000;
const day = 86_400_000;
const authority = createAuthority({
  subject: { commonName: "ca" },
  notBefore: now,
  notAfter: now + 30 * day,
  random: systemRandom,
});
const signer = (at = now) =>
  createRequestSigner({
    certificate: authority.pem,
    key: encodePrivateKey(authority.privateKey),
    clock: { now: () => at },
    random: systemRandom,
  });
const { privateKey } = generateKeyPair();
const pem = createCertificateRequest({
  privateKey,
  subject: {
    commonName: "system:node:a",
    organizations: ["system:nodes"],
    attributes: [
      { type: "1.3.6.1.4.1.57683.2", value: "uid" },
      { type: "2.5.4.6", value: "CH" },
    ],
  },
  names: { dnsNames: ["a"], ipAddresses: ["10.0.0.1"], emailAddresses: [], uris: [] },
});
const sign = (usages: string[], ttlMs = day, at = now) => {
  const [der] = decodeCertificates(signer(at)({ pem, usages, ttlMs }));
  return readCertificate(der as Uint8Array);
};

describe("a signed request", () => {
  it("is a certificate of the authority for the names and usages that were asked for", () => {
    const certificate = sign(["client auth", "digital signature", "key encipherment", "signing", "server auth"]);
    expect(isSignedBy(certificate, authority.certificate)).toBe(true);
    expect(certificate.extensions).toMatchObject({
      isCa: false,
      keyUsage: ["digitalSignature", "keyEncipherment"],
      extendedKeyUsage: ["serverAuth", "clientAuth"],
      names: { dnsNames: ["a"], ipAddresses: ["10.0.0.1"] },
    });
    expect(certificate.subject).toMatchObject({ commonName: "system:node:a", organizations: ["system:nodes"] });
  });
  it("has no attributes in its subject by which a server might know a user", () =>
    expect(sign([]).subject.attributes.map(({ type }) => type)).toEqual(["2.5.4.10", "2.5.4.3", "2.5.4.6"]));
  const rows = [
    { name: "a long one is backdated at both ends", ttl: 2 * day, end: now + 2 * day - 5 * minute },
    { name: "a short one at its beginning", ttl: 600_000, end: now + 600_000 },
    { name: "none is valid for longer than the authority", ttl: 365 * day, end: now + 30 * day },
  ];
  for (const { name, ttl, end } of rows)
    it(name, () => {
      const { notBefore, notAfter } = sign([], ttl);
      expect([notBefore, notAfter]).toEqual([now - 5 * minute, end]);
    });
});

describe("what is refused", () => {
  it("an unknown usage", () =>
    expect(() => signer()({ pem, usages: ["flying"], ttlMs: day })).toThrow('unrecognized usage values: ["flying"]'));
  it("what is no request", () =>
    expect(() => signer()({ pem: "x", usages: [], ttlMs: day })).toThrow("PEM block type must be"));
  it("any by an authority that has expired", () =>
    expect(() => sign([], day, now + 31 * day)).toThrow("refusing to sign a certificate that expired in the past"));
  it("a key that is not the authority's", () =>
    expect(() =>
      createRequestSigner({
        certificate: authority.pem,
        key: encodePrivateKey(privateKey),
        clock: { now: () => now },
        random: systemRandom,
      }),
    ).toThrow("the key is not that of the authority's certificate"));
});

it("a request's facts are read without a signature being checked", () =>
  expect(readRequestFacts(pem)).toEqual({
    commonName: "system:node:a",
    organizations: ["system:nodes"],
    dnsNames: ["a"],
    ipAddresses: ["10.0.0.1"],
    emailAddresses: [],
    uris: [],
  }));
