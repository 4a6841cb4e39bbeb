import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSignedBy, readCertificates } from "@coxswain/wire/x509";
import { afterAll, describe, expect, it } from "vitest";
import { servingPair } from "./serving-pair.js";

describe("the pair of a certificate directory", () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-serving-pair-"));
  const read = (): string => readFileSync(join(folder, "apiserver.crt"), "utf8");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("is made with its authority behind it, so that clients can trust the file", () => {
    servingPair(folder, "127.0.0.1");
    const [leaf, authority] = readCertificates(read());
    expect(isSignedBy(leaf!, authority!)).toBe(true);
  });
  it("stays when it is there", () => {
    const before = read();
    servingPair(folder, "127.0.0.1");
    expect(read()).toBe(before);
  });
  it.runIf(process.platform === "linux")("ends with a message where no directory can be made", () =>
    expect(() => servingPair("/proc/nope/certs", "127.0.0.1")).toThrow("cannot make the directory /proc/nope (ENOENT)"),
  );
  it("is refused when half of it is missing", () => {
    rmSync(join(folder, "apiserver.key"));
    expect(() => servingPair(folder, "127.0.0.1")).toThrow(/has only one of apiserver.crt and apiserver.key/);
  });
});
