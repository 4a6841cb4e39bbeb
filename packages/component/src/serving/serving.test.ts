import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseByName, openSslCiphers, readNamedFiles, watchFiles } from "./index.js";

describe("certificates by name", () => {
  const entries = [
    { id: "wild", patterns: ["*.example.com"] },
    { id: "exact", patterns: ["a.example.com", "other.org"] },
  ];
  const cases: [string, string | undefined][] = [
    ["a.example.com", "exact"],
    ["B.example.com", "wild"],
    ["x.y.example.com", undefined],
    ["example.com", undefined],
    ["other.org", "exact"],
    ["localhost", undefined],
  ];
  for (const [name, id] of cases)
    it(`${name}: ${id ?? "the usual one"}`, () => expect(chooseByName(entries, name)?.id).toBe(id));
  it("reads files and patterns", () => {
    expect(readNamedFiles("/a.crt,/a.key")).toEqual({ certificateFile: "/a.crt", keyFile: "/a.key" });
    expect(readNamedFiles("/a.crt,/a.key:*.foo.com,foo.com")).toEqual({
      certificateFile: "/a.crt",
      keyFile: "/a.key",
      patterns: ["*.foo.com", "foo.com"],
    });
    expect(readNamedFiles("/a.crt")).toBeUndefined();
  });
});

describe("cipher suites", () => {
  it("has OpenSSL's names for Go's", () =>
    expect(openSslCiphers(["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"])).toBe(
      "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:ECDHE-RSA-AES128-GCM-SHA256",
    ));
  it("refuses what it does not know", () => expect(() => openSslCiphers(["TLS_RC4"])).toThrow("TLS_RC4"));
});

describe("watching files", () => {
  it("reports a file that was replaced, once its content is another", async () => {
    const directory = mkdtempSync(join(tmpdir(), "watch-files-"));
    const file = join(directory, "a.crt");
    writeFileSync(file, "one");
    let resolveChanged: () => void = () => {};
    const changed = new Promise<void>((resolve) => (resolveChanged = resolve));
    const watched = watchFiles([file], () => resolveChanged());
    writeFileSync(join(directory, "next"), "two");
    renameSync(join(directory, "next"), file);
    await changed;
    watched.stop();
    rmSync(directory, { recursive: true });
  });
});
