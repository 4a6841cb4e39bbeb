import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recyclerFrom } from "./recycler-flags.js";

describe("flags of the volume recycler", () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "recycler-"))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (text: string): string => {
    const path = join(folder, "pod.yaml");
    writeFileSync(path, text);
    return path;
  };

  it("none is no setting", () => expect(recyclerFrom({})).toBeUndefined());
  it("one leaves the others as they are upstream", () =>
    expect(recyclerFrom({ pvRecyclerIncrementTimeoutNfs: 5 })).toEqual({
      hostPath: { minimum: 60, increment: 30 },
      nfs: { minimum: 300, increment: 5 },
    }));
  it("a template is read", () => {
    const path = write("spec: {containers: [{name: c}], volumes: [{name: v}]}");
    expect(recyclerFrom({ pvRecyclerPodTemplateFilepathNfs: path })?.nfsTemplate?.spec?.volumes).toEqual([
      { name: "v" },
    ]);
  });
  it("a template without volumes is refused", () =>
    expect(() => recyclerFrom({ pvRecyclerPodTemplateFilepathHostpath: write("spec: {containers: []}") })).toThrow(
      "does not contain any volume(s)",
    ));
});
