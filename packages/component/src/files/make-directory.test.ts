import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeDirectory } from "./make-directory.js";

describe("makeDirectory", () => {
  let folder = "";
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "coxswain-directory-"))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("makes what is missing on the way, for its owner alone, and leaves what is there", () => {
    const path = join(folder, "a/b/c");
    makeDirectory(path);
    makeDirectory(path);
    expect([statSync(path).isDirectory(), statSync(join(folder, "a")).mode & 0o777]).toEqual([true, 0o700]);
  });
  it("reports a file that is in the way", () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    for (const path of [file, join(file, "below"), join(file, "below/further")])
      expect(() => makeDirectory(path)).toThrow(`cannot make the directory ${file} (EEXIST)`);
  });
  it.runIf(process.platform === "linux")("ends where nothing can be made", () =>
    expect(() => makeDirectory("/proc/nope/pki")).toThrow("cannot make the directory /proc/nope (ENOENT)"),
  );
});
