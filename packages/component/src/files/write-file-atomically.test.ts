import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeFileAtomically } from "./write-file-atomically.js";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "coxswain-write-"))));
afterEach(() => rmSync(folder, { recursive: true }));

it("replaces a file, and its mode", () => {
  const path = join(folder, "a");
  writeFileSync(path, "old", { mode: 0o644 });
  writeFileAtomically(path, "new", 0o600);
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("a draft that was left behind keeps neither its content nor its mode", () => {
  const path = join(folder, "a");
  writeFileSync(`${path}.${process.pid}.tmp`, "a longer text than the new one", { mode: 0o666 });
  writeFileAtomically(path, "new", 0o600);
  expect(readdirSync(folder)).toEqual(["a"]);
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
