import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { readRecorded } from "./recorded-documents.js";
import { goPlatform, versionInfo } from "./version.js";

const runtime = { runtime: "node v20.20.2", platform: "linux/amd64" };

describe("versionInfo", () => {
  it("has the members of the real server's, in order, and the same values but for the build", () => {
    const theirs = readRecorded<{ legacy: { "/version": Record<string, string> } }>("discovery").legacy["/version"];
    const ours = versionInfo(runtime) as unknown as Record<string, string>;
    assert.deepEqual(Object.keys(ours), Object.keys(theirs));
    const ofBuild = new Set(["gitCommit", "buildDate", "goVersion", "compiler"]);
    for (const name of Object.keys(theirs).filter((each) => !ofBuild.has(each)))
      assert.equal(ours[name], theirs[name], name);
  });
  it("has its build on request", () =>
    assert.equal(versionInfo({ ...runtime, suffix: "coxswain.0.1.0" }).gitVersion, "v1.36.4+coxswain.0.1.0"));
  it("names what runs it", () => {
    const { goVersion, compiler } = versionInfo(runtime);
    assert.deepEqual([goVersion, compiler], ["node v20.20.2", "node"]);
  });
});

describe("goPlatform", () => {
  const cases = [
    { platform: "linux", arch: "x64", want: "linux/amd64" },
    { platform: "darwin", arch: "arm64", want: "darwin/arm64" },
    { platform: "win32", arch: "ia32", want: "windows/386" },
  ];
  for (const c of cases) it(c.want, () => assert.equal(goPlatform(c), c.want));
});
