import { parseYamlDocuments } from "@coxswain/apimachinery/yaml";
import { afterEach, describe, expect, it } from "vitest";
import { type ProjectFolder, projectFolder } from "./project-folder.test.support.js";

const video = (
  markers = "",
  spec = "{ name: string }",
): string => `import type { CustomResource } from "@coxswain/operator";
/**
 * @group media.example.com
 * @resource${markers}
 */
export interface Video extends CustomResource<${spec}> {}
`;
const controller = `/** @rbac groups=apps resources=deployments verbs=get;list */
export class Reconciler { *[Symbol.iterator]() {} }
interface Odd { [Symbol.iterator]: () => void }
/** @param a is no marker here */
export const add = (a: Odd) => a;
`;

describe("coxswain operator generate", () => {
  const folders: ProjectFolder[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) folder.remove();
  });
  const project = (files: Record<string, string>): ProjectFolder => {
    const folder = projectFolder(files);
    folders.push(folder);
    return folder;
  };
  const objects = (folder: ProjectFolder, path: string): unknown[] =>
    parseYamlDocuments(folder.read(path)).map(({ value }) => value);

  it("writes what the sources declare, and nothing the second time", async () => {
    const folder = project({
      "api/v1/video.ts": video("\n * @webhook defaulting"),
      "controllers/deep/video-controller.ts": controller,
      "controllers/video.test.ts": "/** @rbac nonsense */",
      "main.ts": "/** @rbac groups=core resources=events verbs=create */\nexport {};",
    });
    expect(await folder.run("generate")).toEqual({
      code: 0,
      output: [
        "wrote config/crd/videos.media.example.com.yaml",
        "wrote config/rbac/role.yaml",
        "wrote config/webhook/manifests.yaml",
        "wrote api/v1/resources.ts",
      ],
      errors: [],
    });
    expect(objects(folder, "config/crd/videos.media.example.com.yaml")).toMatchObject([
      { kind: "CustomResourceDefinition", spec: { group: "media.example.com", versions: [{ name: "v1" }] } },
    ]);
    expect(objects(folder, "config/rbac/role.yaml")).toMatchObject([
      {
        kind: "ClusterRole",
        metadata: { name: "manager-role" },
        rules: [
          { apiGroups: [""], resources: ["events"], verbs: ["create"] },
          { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get", "list"] },
        ],
      },
    ]);
    expect(objects(folder, "config/webhook/manifests.yaml")).toMatchObject([
      {
        kind: "MutatingWebhookConfiguration",
        webhooks: [{ clientConfig: { service: { name: "webhook-service", namespace: "system" } } }],
      },
    ]);
    expect(folder.read("api/v1/resources.ts")).toContain("export const videos = defineResource<Video>(");
    expect(await folder.run("generate")).toEqual({ code: 0, output: ["nothing changed"], errors: [] });
    folder.write("api/v1/video.ts", video("", "{ name: string; size?: number }"));
    expect((await folder.run("generate")).output).toEqual(["wrote config/crd/videos.media.example.com.yaml"]);
  });

  it("without @rbac and @webhook there are only the definition and the module", async () => {
    const folder = project({ "api/v1/video.ts": video() });
    await folder.run("generate");
    expect(["config/rbac/role.yaml", "config/webhook/manifests.yaml"].map(folder.has)).toEqual([false, false]);
  });

  it("a kind with a conversion webhook has it in its definition, at the Service that flags name", async () => {
    const folder = project({
      "api/v1/video.ts": video("\n * @storageVersion"),
      "api/v2/video.ts": video("\n * @webhook conversion"),
    });
    expect((await folder.run("generate --webhook-service hooks --webhook-namespace media")).code).toBe(0);
    expect(objects(folder, "config/crd/videos.media.example.com.yaml")).toMatchObject([
      {
        spec: {
          conversion: {
            strategy: "Webhook",
            webhook: { clientConfig: { service: { name: "hooks", namespace: "media", path: "/convert" } } },
          },
          versions: [
            { name: "v1", storage: true },
            { name: "v2", storage: false },
          ],
        },
      },
    ]);
    expect([folder.has("api/v1/resources.ts"), folder.has("api/v2/resources.ts")]).toEqual([true, true]);
  });

  const refused: [name: string, files: Record<string, string>, message: string][] = [
    [
      "a type without schema",
      { "api/v1/video.ts": video("", "{ at: Date }") },
      "api/v1/video.ts:6:53: JSON has no dates: use Time",
    ],
    [
      "a rule without verbs in a controller",
      { "api/v1/video.ts": video(), "controllers/a.ts": "/** @rbac groups=a resources=b */ export {};" },
      "controllers/a.ts:1:1: @rbac: needs verbs",
    ],
    ["a folder without types", { "main.ts": "export {};" }, "there are no types in"],
  ];
  for (const [name, files, message] of refused)
    it(`${name} is an error, and nothing is written`, async () => {
      const folder = project(files);
      const { code, errors } = await folder.run("generate");
      expect([code, errors.length]).toEqual([1, 1]);
      expect(errors[0]).toContain(message);
      expect([folder.has("config"), folder.has("api/v1/resources.ts")]).toEqual([false, false]);
    });

  it("a misspelt command is refused with the one that was meant", async () =>
    await expect(project({}).run("generat")).rejects.toThrow(
      'there is no "coxswain operator generat". Did you mean generate?',
    ));
});
