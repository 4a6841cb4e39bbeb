import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRandom } from "@coxswain/runtime/random";
import { afterAll, describe, expect, it } from "vitest";
import { createLocalCertificates } from "./local-certificates.js";

describe("certificates for names below localhost", () => {
  const home = mkdtempSync(join(tmpdir(), "coxswain-local-"));
  const day = 86_400_000;
  let now = Date.now();
  const open = () => createLocalCertificates(join(home, "new"), { clock: { now: () => now }, random: systemRandom });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it("are signed by one authority, which the next cluster finds again", () => {
    const [first, second] = [open(), open()];
    const authority = new X509Certificate(readFileSync(first.authorityFile));
    for (const { certificateFor } of [first, second]) {
      const leaf = new X509Certificate(certificateFor(["a.localhost", "localhost"]).certificate);
      expect(leaf.verify(authority.publicKey)).toBe(true);
      expect(leaf.checkHost("a.localhost")).toBe("a.localhost");
      expect(leaf.checkHost("b.localhost")).toBe(undefined);
    }
    expect(statSync(first.authorityFile.replace(/crt$/, "key")).mode & 0o077).toBe(0);
  });

  it("stay the same for the same names, until they are about to end", () => {
    const { certificateFor } = open();
    const made = certificateFor(["a.localhost"]);
    now += 700 * day;
    expect(certificateFor(["a.localhost"])).toBe(made);
    expect(certificateFor(["b.localhost"])).not.toBe(made);
    now += 100 * day;
    expect(certificateFor(["a.localhost"])).not.toBe(made);
  });
});
