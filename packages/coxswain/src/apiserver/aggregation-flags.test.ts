import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureCertificates } from "@coxswain/component/certificates";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { afterAll, describe, expect, it } from "vitest";
import { aggregationFrom } from "./aggregation-flags.js";

describe("the certificate for aggregated API servers", () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-aggregation-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const own = ensureCertificates(join(folder, "data"), { clock: systemClock, random: systemRandom });
  const [certificate, key] = [join(folder, "proxy.crt"), join(folder, "proxy.key")];
  const flags = {
    proxyClientCertFile: certificate,
    proxyClientKeyFile: key,
    aggregatorRejectForwardingRedirect: false,
  };

  it("is the data directory's where no files are given", () => {
    const setup = aggregationFrom({ ...flags, proxyClientCertFile: undefined, proxyClientKeyFile: undefined });
    expect(setup.files).toEqual([]);
    expect(setup.read(own)).toEqual({ rejectsRedirects: false, credentials: own.frontProxyClient });
  });
  it("is read from files, which are followed", () => {
    writeFileSync(certificate, own.admin.certificate);
    writeFileSync(key, own.admin.key);
    const setup = aggregationFrom(flags);
    expect(setup.files).toEqual([certificate, key]);
    expect(setup.read(own).credentials).toEqual({ certificate: own.admin.certificate, key: own.admin.key });
  });
  it("has a key", () =>
    expect(() => aggregationFrom({ ...flags, proxyClientKeyFile: undefined })).toThrow(
      "--proxy-client-cert-file and --proxy-client-key-file are given together",
    ));
});
