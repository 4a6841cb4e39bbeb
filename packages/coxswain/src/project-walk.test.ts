import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect, loadKubeconfig } from "@coxswain/client/node";
import { findKubectl, kubectlMinors, ownLauncher, runProgram } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { packPackages, publishedPackages } from "@coxswain/tools/pack";
import { runTutorial } from "@coxswain/tools/tutorial";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectFiles, typos } from "./project-walk.test.support.js";

const workspace = fileURLToPath(new URL("../../../", import.meta.url));
/** In full, tarballs are made and installed; in the tests the packages of this checkout stand in for them, which takes seconds instead of a minute. */
const isFull = process.env["COXSWAIN_WALKS"] === "all";

/** The first hour of somebody who writes a controller in TypeScript, in this order. */
describe("a walk in an empty project", { timeout: 900_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-project-"));
  const project = join(folder, "project");
  const env = {
    PATH: [join(project, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter),
    COXSWAIN_HOME: join(folder, "home"),
    HOME: folder,
  };
  async function run(line: string): Promise<string> {
    const { code, stdout, stderr } = await runProgram("sh", ["-c", line], { cwd: project, env });
    if (code !== 0) throw new Error(`${line} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  }
  async function install(): Promise<void> {
    if (!isFull) return symlinkSync(join(workspace, "node_modules"), join(project, "node_modules"));
    const tarballs = await packPackages(workspace, publishedPackages(workspace), join(folder, "tarballs"));
    await run("npm init --yes");
    await run(`npm install --save-dev --no-audit --no-fund ${tarballs.join(" ")}`);
    await run("npm install --save-dev --no-audit --no-fund typescript vitest @types/node@20");
  }

  beforeAll(async () => {
    mkdirSync(project, { recursive: true });
    await install();
    await run("npm pkg set type=module").catch(() => writeFileSync(join(project, "package.json"), '{"type":"module"}'));
    for (const [path, text] of Object.entries(projectFiles)) writeFileSync(join(project, path), text);
    if (!isFull)
      writeFileSync(
        join(project, "vitest.config.js"),
        "export default { test: { server: { deps: { external: [/\\/packages\\/[a-z-]+\\/dist\\//] } } } };\n",
      );
  }, 900_000);
  afterAll(async () => {
    await runProgram(process.execPath, [ownLauncher, "down"], { env });
    rmSync(folder, { recursive: true, force: true }); // in full with all that npm installed
  }, 300_000);

  it("the controller compiles under strict", () => run("tsc"));

  it("the compiler names the group and version of what is mistyped, and what was meant", async () => {
    writeFileSync(join(project, "typos.ts"), typos);
    const flags = "--noEmit --target es2023 --module nodenext --strict --skipLibCheck --types node --ignoreConfig";
    const { stdout } = await runProgram("sh", ["-c", `tsc ${flags} typos.ts`], { cwd: project, env });
    rmSync(join(project, "typos.ts"));
    expect(stdout.trim().split("\n")).toEqual([
      expect.stringContaining("Property 'podz' does not exist on type 'CoreV1'."),
      expect.stringContaining("Property 'v2' does not exist on type 'AppsGroup'."),
      expect.stringContaining("Property 'deploymets' does not exist on type 'AppsV1'. Did you mean 'deployments'?"),
    ]);
  });

  it("its test passes: a clock that jumps, a fork, faults", async () =>
    expect(await run("vitest run --dir . --reporter=verbose pod-counter.test.ts")).toContain("1 passed"));

  it.runIf(isFull)("maps of an installed package lead to sources, and tests are not packed", () => {
    const installed = join(project, "node_modules/@coxswain/client");
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    const maps = files.filter((file) => file.endsWith(".map"));
    expect(maps.length).toBeGreaterThan(100);
    const missing = maps.filter((map) => {
      const { sources } = JSON.parse(readFileSync(join(installed, map), "utf8")) as { sources: string[] };
      return !sources.every((source) => existsSync(join(installed, dirname(map), source)));
    });
    expect([missing, files.filter((file) => file.includes(".test."))]).toEqual([[], []]);
  });

  it("it counts the pods of a cluster of coxswain up", async () => {
    const coxswain = isFull ? "coxswain" : `"${process.execPath}" "${ownLauncher}"`;
    const kubeconfig = join(folder, "kubeconfig");
    await run(`${coxswain} up --detach --in-memory --secure-port 0 --console=false --write-kubeconfig ${kubeconfig}`);
    const flags = ["--kubeconfig", kubeconfig, "--health-probe-bind-address=0"];
    const operator = spawn(process.execPath, ["dist/main.js", ...flags], { cwd: project, stdio: "ignore" });
    const client = connect(loadKubeconfig({ path: kubeconfig }));
    try {
      await client.core.v1
        .pods("default")
        .create({ metadata: { name: "one" }, spec: { containers: [{ name: "one", image: "nginx" }] } });
      const counted = async () =>
        (
          await client.core.v1
            .configmaps("default")
            .get("pods")
            .catch(() => undefined)
        )?.data;
      await expect.poll(counted, { timeout: 60_000 }).toEqual({ count: "1" });
    } finally {
      operator.kill();
      await once(operator, "close");
      await client.close();
    }
    expect(await run(`${coxswain} down`)).toBe("stopped\n");
  });

  // tutorial.test.ts does so by the packages of this checkout.
  const kubectl = isFull && findKubectl(kubectlMinors().at(-1) ?? "");
  const need = { found: kubectl, missing: isFull ? "kubectl" : "npm run tool -- walks", timeout: 1_800_000 };
  describeWith("docs/tutorial-operator.md with the installed command", need, (found) => {
    it("every step ends as the page shows", async () => {
      const reader = join(folder, "reader");
      mkdirSync(reader);
      const done: string[] = [];
      await runTutorial({
        markdown: readFileSync(join(workspace, "docs/tutorial-operator.md"), "utf8"),
        folder: reader,
        kubectl: found,
        coxswain: join(project, "node_modules/coxswain/bin/coxswain.js"),
        onStep: ({ do: what, line }, seconds) => {
          done.push(what);
          process.stdout.write(`${seconds.toFixed(1).padStart(6)} s  docs/tutorial-operator.md:${line}: ${what}\n`);
        },
      });
      expect(done.filter((each) => each === "type").length).toBeGreaterThan(15);
    });
  });
});
