import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeWith } from "../needs/index.js";
import { type TarEntry, tarChunks } from "./tar.js";

const folder = mkdtempSync(join(tmpdir(), "tar-"));

async function archive(entries: readonly TarEntry[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of tarChunks(entries)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describeWith("tar archives", { found: existsSync("/bin/tar") || existsSync("/usr/bin/tar"), missing: "tar" }, () => {
  it("are read by tar with their modes, links and contents", async () => {
    const source = join(folder, "source");
    writeFileSync(source, "x".repeat(700));
    const file = join(folder, "a.tar");
    const entries: TarEntry[] = [
      { kind: "directory", path: "tmp", mode: 0o1777 },
      { kind: "file", path: "tmp/text", content: "olá\n" },
      { kind: "copy", path: "program", source, mode: 0o6755 },
      { kind: "link", path: "other", target: "program" },
    ];
    writeFileSync(file, await archive(entries));
    const listed = execFileSync("tar", ["-tvf", file], { encoding: "utf8", env: { ...process.env, TZ: "UTC" } });
    const fields = listed
      .trim()
      .split("\n")
      .map((line) => line.split(/\s+/));
    expect(fields.map((line) => [line[0], line[1], line[2], line.slice(5).join(" ")])).toEqual([
      ["drwxrwxrwt", "0/0", "0", "tmp/"],
      ["-rw-r--r--", "0/0", "5", "tmp/text"],
      ["-rwsr-sr-x", "0/0", "700", "program"],
      ["lrwxrwxrwx", "0/0", "0", "other -> program"],
    ]);
    expect(execFileSync("tar", ["-xOf", file, "tmp/text"], { encoding: "utf8" })).toBe("olá\n");
    rmSync(folder, { recursive: true });
  });

  it("are equal bytes for equal entries", async () => {
    const entries: TarEntry[] = [{ kind: "file", path: "a", content: "a" }];
    expect((await archive(entries)).equals(await archive(entries))).toBe(true);
  });

  it("refuse a path that the form has no room for", () =>
    expect(archive([{ kind: "directory", path: "a".repeat(101) }])).rejects.toThrow(/longer than a tar header/));
});
