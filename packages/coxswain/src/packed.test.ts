import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ProgramResult, runProgram } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { packPackages, publishedPackages, withDependencies } from "@coxswain/tools/pack";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "coxswain-packed-"));
const project = join(folder, "project");
const workspace = fileURLToPath(new URL("../../../", import.meta.url));

/** Packs the command and installs it in a project of its own, from npm's cache where that has lmdb. False where npm cannot. */
async function install(): Promise<boolean> {
  const packages = withDependencies(publishedPackages(workspace), ["coxswain"]);
  const [tarball = ""] = await packPackages(workspace, packages, folder);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), "{}");
  const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=0"];
  const { code } = await runProgram("npm", ["install", ...flags, tarball], { cwd: project });
  if (code !== 0) rmSync(folder, { recursive: true, force: true });
  return code === 0;
}

const need = {
  found: await install(),
  missing: "lmdb in npm's cache, or a registry",
  timeout: 120_000,
};
describeWith("the packed command", need, () => {
  const coxswain = (line: string): Promise<ProgramResult> =>
    runProgram(join(project, "node_modules/.bin/coxswain"), line.split(" "), {
      cwd: project,
      env: { COXSWAIN_HOME: join(folder, "home"), COXSWAIN_CACHE_DIR: join(folder, "cache") },
    });
  afterAll(async () => {
    await coxswain("down");
    rmSync(folder, { recursive: true, force: true });
  });

  it("installs one native module, which is built, and nothing else", () => {
    expect(readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
      "@lmdb",
      "coxswain",
    ]);
    expect(readdirSync(join(project, "node_modules/@lmdb"))).toHaveLength(1);
    for (const name of ["LICENSE", "NOTICE", "README.md"])
      expect(existsSync(join(project, "node_modules/coxswain", name))).toBe(true);
  });

  it("is a cluster with nodes, reports it, and stops", async () => {
    const up = await coxswain("up --detach --secure-port 0 --nodes 2");
    expect(up).toMatchObject({ code: 0, stderr: "" });
    expect(up.stdout).toMatch(
      /kubectl get nodes\n {2}open http:\/\/127\.0\.0\.1:\d+\/#c=[\w-]{22}\n\n"coxswain down" stops it\./,
    );
    expect((await coxswain("status")).stdout).toContain("2 of 2 nodes ready");
    expect((await coxswain("down")).stdout).toBe("stopped\n");
  });
});
