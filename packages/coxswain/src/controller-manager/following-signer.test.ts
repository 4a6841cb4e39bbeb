import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  beginRotation,
  ensureAuthority,
  finishRotation,
  signingFirst,
  switchAuthority,
} from "@coxswain/component/certificates";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import {
  createCertificateRequest,
  encodePem,
  generateKeyPair,
  isSignedBy,
  readCertificates,
} from "@coxswain/wire/x509";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followingSigner } from "./following-signer.js";
import { rootCaOfFile } from "./root-ca-file.js";

const options = { clock: systemClock, random: systemRandom };

describe("what controllers sign and publish while an authority is replaced", () => {
  let folder: string;
  const file = (name: string): string => join(folder, name);
  const read = (name: string): string => readFileSync(file(name), "utf8");
  const first = (pem: string): string => encodePem("CERTIFICATE", readCertificates(pem)[0]!.der);
  const request = (): string =>
    createCertificateRequest({ subject: { commonName: "n" }, privateKey: generateKeyPair().privateKey });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rotation-"));
    ensureAuthority(folder, "ca", { ...options, commonName: "test" });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("after `switch` the second one signs, and comes first among the published ones, without a restart", () => {
    const sign = followingSigner(() => ({ certificate: read("ca.crt"), key: read("ca.key") }));
    const signed = (): ReturnType<typeof readCertificates>[number] =>
      readCertificates(sign({ pem: request(), usages: ["client auth"], ttlMs: 60_000 }))[0]!;
    const published = (): string => signingFirst(read("ca.crt"), read("ca.key"));
    const [old] = readCertificates(published());
    expect(isSignedBy(signed(), old!)).toBe(true);
    beginRotation(folder, "ca", options);
    expect(readCertificates(published())).toHaveLength(2);
    expect(isSignedBy(signed(), old!)).toBe(true);
    switchAuthority(folder, "ca");
    const [next] = readCertificates(published());
    expect(first(published())).not.toBe(encodePem("CERTIFICATE", old!.der));
    expect(readCertificates(published())).toHaveLength(2);
    expect(isSignedBy(signed(), next!)).toBe(true);
    finishRotation(folder, "ca");
    expect(published().trim()).toBe(encodePem("CERTIFICATE", next!.der).trim());
  });

  it("a key without its certificate is no reason not to sign: the last authority goes on", () => {
    const sign = followingSigner(() => ({ certificate: read("ca.crt"), key: read("ca.key") }));
    const [old] = readCertificates(read("ca.crt"));
    writeFileSync(file("ca.key"), "half a k");
    const [leaf] = readCertificates(sign({ pem: request(), usages: ["client auth"], ttlMs: 60_000 }));
    expect(isSignedBy(leaf!, old!)).toBe(true);
  });

  it("a bundle whose file is replaced is noticed by those who publish it", async () => {
    const rootCa = rootCaOfFile(file("ca.crt"), file("ca.key"));
    const changed = new Promise<void>((resolve) => rootCa.onChange(resolve));
    beginRotation(folder, "ca", options);
    await changed;
    expect(readCertificates(rootCa.current())).toHaveLength(2);
  });
});
