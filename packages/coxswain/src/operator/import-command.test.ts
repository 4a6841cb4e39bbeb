import { stringifyYaml } from "@coxswain/apimachinery/yaml";
import { withCluster } from "@coxswain/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { type ProjectFolder, projectFolder } from "./project-folder.test.support.js";

const definition = (kind: string, group = "example.com") => ({
  apiVersion: "apiextensions.k8s.io/v1" as const,
  kind: "CustomResourceDefinition" as const,
  metadata: { name: `${kind.toLowerCase()}s.${group}` },
  spec: {
    group,
    scope: "Namespaced" as const,
    names: { kind, plural: `${kind.toLowerCase()}s` },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
          },
        },
      },
    ],
  },
});
const yaml = (...objects: object[]): string => objects.map((object) => `---\n${stringifyYaml(object)}`).join("");

describe("coxswain operator import", () => {
  const folders: ProjectFolder[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) folder.remove();
  });
  const project = (files: Record<string, string> = {}): ProjectFolder => {
    const folder = projectFolder(files);
    folders.push(folder);
    return folder;
  };

  it("makes a module per kind of files and folders, and passes over other objects", async () => {
    const folder = project({
      "a.yaml": yaml({ apiVersion: "v1", kind: "Namespace" }, definition("Apple")),
      "crds/deep/b.yml": yaml({ apiVersion: "v1", kind: "List", items: [definition("Berry")] }),
      "crds/c.json": JSON.stringify(definition("Cherry")),
      "crds/notes.txt": "{",
    });
    expect(await folder.run("import a.yaml crds -o types")).toEqual({
      code: 0,
      output: ["apple", "cherry", "berry"].map((name) => `wrote types/example.com/v1/${name}.ts`),
      errors: [],
    });
    expect(folder.read("types/example.com/v1/apple.ts")).toContain("export const apples = defineResource<Apple>(");
    expect((await folder.run("import a.yaml crds -o types")).output).toEqual(["nothing changed"]);
  });

  const refused: [name: string, text: string, message: string][] = [
    [
      "a file without definitions",
      yaml({ apiVersion: "v1", kind: "Namespace" }),
      "there is no CustomResourceDefinition",
    ],
    ["what is no YAML", "a: [", "a.yaml: "],
    [
      "a definition in an old version",
      yaml({ ...definition("Apple"), apiVersion: "apiextensions.k8s.io/v1beta1" }),
      '"apples.example.com" is of apiextensions.k8s.io/v1beta1: convert it',
    ],
    ["a definition without a spec", yaml({ ...definition("Apple"), spec: {} }), "needs spec.group"],
  ];
  for (const [name, text, message] of refused)
    it(`${name} is an error`, async () => {
      const folder = project({ "a.yaml": text });
      const { code, errors } = await folder.run("import a.yaml -o types");
      expect([code, folder.has("types")]).toEqual([1, false]);
      expect(errors.join("\n")).toContain(message);
    });

  it("a group that is a path leads to no file outside of the folder", async () => {
    const folder = project({ "a.yaml": yaml(definition("Apple", "../../outside")) });
    await expect(folder.run("import a.yaml -o types")).rejects.toThrow("nothing was written");
    expect(folder.has("types")).toBe(false);
  });

  const misused: [line: string, message: string][] = [
    ["import a.yaml", "-o DIR"],
    ["import -o types", "name files or folders"],
    ["import a.yaml --from-cluster -o types", "name files or folders"],
  ];
  for (const [line, message] of misused)
    it(`"${line}" is refused`, async () => await expect(project().run(line)).rejects.toThrow(message));

  it(
    "takes the definitions of a running cluster",
    withCluster(
      async (cluster) => {
        await cluster.client.apiextensions.v1.customresourcedefinitions().create(definition("Apple"));
        await cluster.settle();
        const folder = project();
        const kubeconfig = await cluster.kubeconfig();
        expect((await folder.run(`import --from-cluster --kubeconfig ${kubeconfig} -o types`)).output).toEqual([
          "wrote types/example.com/v1/apple.ts",
        ]);
      },
      { nodes: 0, controllers: [] },
    ),
  );
});
