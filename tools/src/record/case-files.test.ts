import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readCases } from "./case-files.js";

describe("readCases", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cases-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (path: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const steps = [{ name: "read", method: "GET", path: "/api" }];
    writeFileSync(join(folder, path), JSON.stringify({ name: basename(path, ".json"), steps }));
  };

  it("reads the cases of all folders in the order of their names, without recordings", () => {
    for (const path of ["watch/b.json", "apply/c.json", "a.json", "apply/c.recorded.json"]) write(path);
    expect(readCases(folder).map(({ case: { name } }) => name)).toEqual(["a", "b", "c"]);
  });

  it("refuses two cases of one name in different folders", () => {
    for (const path of ["watch/a.json", "list/a.json"]) write(path);
    expect(() => readCases(folder)).toThrow("two cases have one name");
  });
});
