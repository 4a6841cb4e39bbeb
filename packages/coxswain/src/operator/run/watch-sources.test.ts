import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SourceWatch, watchSources } from "./watch-sources.js";

describe("watching the sources of a project", { timeout: 60_000 }, () => {
  let folder: string;
  let watching: SourceWatch | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "coxswain-watch-"));
  });
  afterEach(() => {
    watching?.stop();
    rmSync(folder, { recursive: true });
  });
  const write = (...paths: string[]): void => {
    for (const path of paths) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), "1");
    }
  };

  const cases: [name: string, act: (directory: string) => void, path: string][] = [
    ["a file that is written", (at) => writeFileSync(join(at, "api/v1/a.ts"), "1"), "api/v1/a.ts"],
    [
      "a file that an editor replaces",
      (at) => {
        writeFileSync(join(at, "temporary"), "2");
        renameSync(join(at, "temporary"), join(at, "controllers/c.ts"));
      },
      "controllers/c.ts",
    ],
    ["main.ts", (at) => writeFileSync(join(at, "main.ts"), "1"), "main.ts"],
    [
      "a folder that was not there",
      (at) => {
        mkdirSync(join(at, "webhooks/v1"), { recursive: true });
        writeFileSync(join(at, "webhooks/v1/w.ts"), "1");
      },
      "webhooks/v1/w.ts",
    ],
    ["a file that is deleted", (at) => rmSync(join(at, "controllers/c.ts")), "controllers/c.ts"],
  ];
  it.each(cases)("reports %s, twice", async (_, act, path) => {
    write("main.ts", "api/v1/a.ts", "controllers/c.ts", "dist/run/main.mjs");
    const seen: string[][] = [];
    watching = watchSources(folder, (paths) => void seen.push([...paths]));
    for (const time of [1, 2]) {
      if (time === 2 && path === "controllers/c.ts") write(path);
      act(folder);
      await expect.poll(() => seen.flat(), { timeout: 30_000 }).toContain(path);
      expect(seen.flat().filter((each) => each !== path)).toEqual([]);
      seen.length = 0;
    }
  });

  it("what is built and what is installed are no sources", async () => {
    write("main.ts", "dist/main.ts", "node_modules/a/a.ts");
    const seen: string[] = [];
    watching = watchSources(folder, (paths) => void seen.push(...paths));
    write("dist/main.ts");
    write("node_modules/a/a.ts");
    write("main.ts");
    await expect.poll(() => seen, { timeout: 30_000 }).toEqual(["main.ts"]);
  });
});
