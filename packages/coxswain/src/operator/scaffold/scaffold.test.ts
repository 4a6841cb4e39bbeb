import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { fileNameOf } from "../../project/kind-names.js";
import { type ProjectFolder, projectFolder, workspace } from "../project-folder.test.support.js";

const api = "create api --group media --version v1alpha1 --kind";
const webhook = "create webhook --group media --version v1alpha1 --kind";

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

  it("compiles under strict with kinds, versions and webhooks, and its tests pass", { timeout: 300_000 }, async () => {
    const folder = await project(
      `${init} --packages ${workspace}`,
      `${api} VideoProcessor`,
      `${api} HTTPCopy`,
      `${api} Condition`, // a name that the scaffold's own modules have
      "create api --group media --version v1 --kind VideoProcessor",
      `${webhook} VideoProcessor --defaulting --programmatic-validation --conversion`,
      "create webhook --group media --version v1 --kind VideoProcessor --defaulting",
    );
    folder.install();
    // One process for all files: importing a cluster's modules takes longer than the tests.
    const flags = "--reporter=json --no-isolate --maxWorkers=1 --testTimeout=120000";
    const { code, output, errors } = await folder.run(`test -- ${flags}`);
    expect([code, errors]).toEqual([0, []]);
    expect(JSON.parse(output.at(-1) ?? "")).toMatchObject({ numPassedTests: 7, numTotalTests: 7 });
  });

  it("has a layout like kubebuilder's", async () => {
    const folder = await project(init);
    const { output } = await folder.run(`${api} VideoProcessor`);
    expect(output).toEqual(
      [
        "api/v1alpha1/video-processor.ts",
        "config/samples/media_v1alpha1_videoprocessor.yaml",
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

  it("a further version is a copy that is not stored, and gets no controller", async () => {
    const folder = await project(init, `${api} Video`);
    folder.write(
      "api/v1alpha1/video.ts",
      folder
        .read("api/v1alpha1/video.ts")
        .replace("example?: string", "size?: Size")
        .replace("/** What is wanted", 'import type { Size } from "./size.js";\n/** What is wanted'),
    );
    folder.write("api/v1alpha1/size.ts", "export type Size = string;\n");
    const { code, output } = await folder.run("create api --group media --version v1 --kind Video");
    expect([code, output]).toEqual([
      0,
      [
        ...[
          "api/v1/video.ts",
          "config/samples/media_v1_video.yaml",
          "api/v1alpha1/video.ts",
          "config/crd/videos.media.example.com.yaml",
          "api/v1/resources.ts",
        ].map((path) => `wrote ${path}`),
        "once the versions differ: coxswain operator create webhook --group media --version v1alpha1 --kind Video --conversion --spoke v1",
      ],
    ]);
    expect(folder.read("api/v1/video.ts")).toContain('import type { Size } from "../v1alpha1/size.js";');
    expect(folder.read("api/v1alpha1/video.ts")).toContain(" * @storageVersion\n");
    expect(folder.read("api/v1/video.ts")).not.toContain("@storageVersion");
    expect(folder.read("config/samples/media_v1_video.yaml")).toContain("apiVersion: media.example.com/v1\n");
  });

  it("webhooks are marked, called by main.ts and have certificates of the project's names", async () => {
    const folder = await project(init, `${api} Video`, `${webhook} Video --programmatic-validation`);
    const { output } = await folder.run(`${webhook} Video --defaulting`);
    expect(output).toEqual(
      [
        "webhooks/v1alpha1/video-defaulting.ts",
        "webhooks/v1alpha1/video-defaulting.test.ts",
        "api/v1alpha1/video.ts",
        "main.ts",
        "config/webhook/manifests.yaml",
        "config/rbac/webhook-certificates.yaml",
        "webhooks/certificates.ts",
      ].map((path) => `wrote ${path}`),
    );
    expect(folder.read("api/v1alpha1/video.ts")).toContain(" * @webhook defaulting validating\n");
    const main = folder.read("main.ts");
    expect(main.match(/webhookCertificates/g)).toHaveLength(2);
    expect(main).toContain("    addVideoValidation(manager);\n    addVideoDefaulting(manager);\n");
    expect(folder.read("webhooks/certificates.ts")).toContain(
      'mutating: ["video-operator-mutating-webhook-configuration"]',
    );
    expect(folder.read("config/webhook/manifests.yaml")).toContain("namespace: video-operator-system");
  });

  it("the same webhook of another version has another name in main.ts", async () => {
    const folder = await project(init, `${api} Video`, "create api --group media --version v1 --kind Video");
    for (const version of ["v1alpha1", "v1"])
      await folder.run(`create webhook --group media --version ${version} --kind Video --defaulting`);
    expect(folder.read("main.ts")).toContain("import { addVideoDefaulting as addVideoDefaultingV1 }");
  });

  const noWebhook: [name: string, line: string, message: string][] = [
    ["a kind that is not there", `${webhook} Audio --defaulting`, "there is no Audio of media.example.com/v1alpha1"],
    ["a webhook that is there", `${webhook} Video --defaulting`, "webhooks/v1alpha1/video-defaulting.ts"],
  ];
  for (const [name, line, message] of noWebhook)
    it(`${name} gets no webhook, and nothing is written`, async () => {
      const folder = await project(init, `${api} Video`, `${webhook} Video --defaulting`);
      const before = folder.read("main.ts");
      expect(await folder.run(line)).toMatchObject({ code: 1, errors: [expect.stringContaining(message)] });
      expect(folder.read("main.ts")).toBe(before);
    });

  it("depends on the packages of this version, and on the tools that they are tested with", async () => {
    const read = (path: string) =>
      JSON.parse(readFileSync(join(workspace, path), "utf8")) as {
        version: string;
        devDependencies: Record<string, string>;
      };
    const { version } = read("packages/operator/package.json");
    const tools = read("package.json").devDependencies;
    const caret = (name: string): string => `^${tools[name]?.replace("^", "")}`;
    expect(JSON.parse((await project(init)).read("package.json"))).toMatchObject({
      name: "video-operator",
      dependencies: { "@coxswain/api": version, "@coxswain/operator": version },
      devDependencies: {
        "@coxswain/testkit": version,
        coxswain: version,
        esbuild: caret("esbuild"),
        typescript: caret("typescript"),
        vitest: caret("vitest"),
      },
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
    ["init --domain example.com --packages /nowhere", "has no tarballs of Coxswain"],
    ["create api --group media --kind Video", "--group, --version and --kind"],
    [`create api --group media --version one --kind Video`, "is no API version"],
    [`create api --group a.b --version v1 --kind Video`, "is not one word"],
    [`${api} ../video`, "is not in upper camel case"],
    [`${api} Video --plural ../a`, "is not of a-z"],
    [`${webhook} Video`, "choose some of --defaulting"],
    [`${webhook} Video --conversion`, "has only the version v1alpha1"],
    [`${webhook} Video --conversion --spoke v2`, "has no version v2"],
    [`${webhook} Video --defaulting --spoke v2`, "belongs to --conversion"],
  ];
  for (const [line, message] of misused)
    it(`"${line}" is refused`, async () => {
      const folder = await project(...(line.startsWith("create") ? [init, `${api} Video`] : []));
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
