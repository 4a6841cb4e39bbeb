import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { type ProjectFolder, projectFolder } from "../project-folder.test.support.js";
import { fileNameOf } from "./kind-names.js";

const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const api = "create api --group media --version v1alpha1 --kind";

describe("a scaffolded project", () => {
  const folders: ProjectFolder[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) folder.remove();
  });
  const project = async (...lines: string[]): Promise<ProjectFolder> => {
    const folder = projectFolder();
    folders.push(folder);
    for (const line of lines) expect(await folder.run(line)).toMatchObject({ code: 0, errors: [] });
    return folder;
  };
  const init = "init --domain example.com --name video-operator";

  it("compiles under strict with two kinds, and its tests pass with a build beside them", {
    timeout: 300_000,
  }, async () => {
    const folder = await project(init, `${api} VideoProcessor`, `${api} HTTPCopy`);
    symlinkSync(join(root, "node_modules"), join(folder.directory, "node_modules"));
    const run = (program: string, ...args: string[]) =>
      spawnSync(process.execPath, [join(root, "node_modules", program), ...args], {
        cwd: folder.directory,
        encoding: "utf8",
      });
    const compiled = run("typescript/bin/tsc");
    expect(compiled.stdout + compiled.stderr).toBe("");
    // One process for both files: importing a cluster's modules takes longer than the tests.
    const flags = ["--reporter=json", "--no-isolate", "--maxWorkers=1", "--testTimeout=120000"];
    const { scripts } = JSON.parse(folder.read("package.json")) as { scripts: { test: string } };
    const tested = run("vitest/vitest.mjs", ...scripts.test.split(" ").slice(1), ...flags);
    expect(JSON.parse(tested.stdout)).toMatchObject({ numPassedTests: 2, numTotalTests: 2 });
  });

  it("has a layout like kubebuilder's", async () => {
    const folder = await project(init);
    const { output } = await folder.run(`${api} VideoProcessor`);
    expect(output).toEqual(
      [
        "api/v1alpha1/video-processor.ts",
        "controllers/video-processor-controller.ts",
        "controllers/video-processor-controller.test.ts",
        "main.ts",
        "config/crd/videoprocessors.media.example.com.yaml",
        "config/rbac/role.yaml",
        "api/v1alpha1/resources.ts",
      ].map((path) => `wrote ${path}`),
    );
    expect(folder.read("main.ts")).toContain(
      "    addVideoProcessorController(manager);\n    // +coxswain:controllers\n",
    );
    expect((await folder.run("generate")).output).toEqual(["nothing changed"]);
  });

  it("depends on the packages of this version", async () => {
    const own = JSON.parse(readFileSync(join(root, "packages/operator/package.json"), "utf8")) as { version: string };
    expect(JSON.parse((await project(init)).read("package.json"))).toMatchObject({
      name: "video-operator",
      dependencies: { "@coxswain/api": own.version, "@coxswain/operator": own.version },
      devDependencies: { "@coxswain/testkit": own.version, coxswain: own.version },
    });
  });

  it("nothing of the user's is written over", async () => {
    const folder = await project(init, `${api} Video`);
    const before = folder.read("main.ts");
    expect(await folder.run(init)).toMatchObject({
      code: 1,
      errors: [expect.stringContaining("package.json, tsconfig")],
    });
    expect(await folder.run(`${api} Video`)).toMatchObject({
      code: 1,
      errors: [expect.stringContaining("api/v1alpha1/video.ts")],
    });
    expect(folder.read("main.ts")).toBe(before);
  });

  it("where main.ts has lost its marks, the line to add is printed", async () => {
    const folder = await project(init);
    folder.write("main.ts", "export {};\n");
    expect((await folder.run(`${api} Video`)).output).toContain(
      'main.ts has no "// +coxswain:" lines: call addVideoController(manager) there',
    );
    expect(folder.read("main.ts")).toBe("export {};\n");
  });

  it("a folder that is no project gets no kind", async () =>
    expect(await (await project()).run(`${api} Video`)).toMatchObject({
      code: 1,
      errors: [expect.stringContaining("is no operator's project")],
    }));

  const misused: [line: string, message: string][] = [
    ["init", "--domain example.com"],
    ["init --domain Example_com", "is no domain name"],
    ["init --domain example.com --name a/b", "is no name of a project"],
    ["create api --group media --kind Video", "--group, --version and --kind"],
    [`create api --group media --version one --kind Video`, "is no API version"],
    [`create api --group a.b --version v1 --kind Video`, "is not one word"],
    [`${api} ../video`, "is not in upper camel case"],
    [`${api} Video --plural ../a`, "is not of a-z"],
  ];
  for (const [line, message] of misused)
    it(`"${line}" is refused`, async () => {
      const folder = await project(...(line.startsWith("create") ? [init] : []));
      await expect(folder.run(line)).rejects.toThrow(message);
    });

  const names: [kind: string, file: string][] = [
    ["Video", "video"],
    ["VideoProcessor", "video-processor"],
    ["HTTPRoute", "http-route"],
    ["S3Bucket", "s3-bucket"],
  ];
  for (const [kind, file] of names)
    it(`${kind} is ${file} in names of files`, () => expect(fileNameOf(kind)).toBe(file));
});
