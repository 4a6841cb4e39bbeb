import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { parseYaml, parseYamlDocuments, stringifyYaml } from "@coxswain/apimachinery/yaml";
import { systemClock } from "@coxswain/runtime/clock";
import { startCluster, type TestCluster } from "@coxswain/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProjectFolder, projectFolder } from "../project-folder.test.support.js";

const kind = "--group media --kind Video --version";
const namespace = "op-system";
const resource = { group: "media.example.com", version: "v1", resource: "videos", kind: "Video" };

describe("delivering an operator", { timeout: 600_000 }, () => {
  let folder: ProjectFolder;
  beforeAll(async () => {
    folder = projectFolder();
    await folder.run("init --domain example.com --name op");
    await folder.run(`create api ${kind} v1`);
    await folder.run(`create api ${kind} v1alpha1`);
    await folder.run(`create webhook ${kind} v1 --defaulting --programmatic-validation --conversion`);
    folder.install();
  });
  afterAll(() => folder.remove());

  it("bundle: one file with all objects, what is referred to before what refers to it, and the image", async () => {
    expect((await folder.run("bundle --image example.com/op:1")).output.at(-1)).toBe(
      "wrote dist/install.yaml: 19 objects",
    );
    const objects = parseYamlDocuments(folder.read("dist/install.yaml")).map(
      ({ value }) => value as { kind: string; metadata: { name: string } },
    );
    const kinds = objects.map((object) => object.kind);
    expect([...new Set(kinds)].join(" ")).toBe(
      "Namespace CustomResourceDefinition ServiceAccount Role ClusterRole RoleBinding ClusterRoleBinding Service Deployment " +
        "MutatingWebhookConfiguration ValidatingWebhookConfiguration",
    );
    expect(
      objects.every(({ metadata }) => metadata.name.startsWith("op-") || metadata.name.startsWith("videos.")),
    ).toBe(true);
    expect(objects.find((object) => object.kind === "Deployment")).toMatchObject({
      spec: { template: { spec: { containers: [{ name: "manager", image: "example.com/op:1" }] } } },
    });
    expect(folder.read("config/manager/manager.yaml")).toContain("image: controller:latest");
  });

  it("bundle -o - prints nothing but manifests", async () => {
    const { output } = await folder.run("bundle -o -");
    expect(parseYamlDocuments(output.join("\n"))).toHaveLength(19);
  });

  it("a project without the operator's Deployment is refused", async () => {
    const other = projectFolder({
      "package.json": folder.read("package.json"),
      "api/v1/video.ts": folder.read("api/v1/video.ts"),
    });
    const { code, errors } = await other.run("bundle");
    other.remove();
    expect([code, errors]).toEqual([1, [expect.stringContaining("there is no Deployment op-controller-manager")]]);
  });

  it("build: wrong types are an error", async () => {
    const main = folder.read("main.ts");
    folder.write("main.ts", `${main}export const wrong: number = "text";\n`);
    const { code, errors } = await folder.run("build");
    folder.write("main.ts", main);
    expect([code, errors.join()]).toEqual([1, expect.stringContaining("main.ts(21,14): error TS2322")]);
    expect(folder.has("dist/main.mjs")).toBe(false);
  });

  it("a project without esbuild is asked to install it", async () => {
    const other = projectFolder({
      "package.json": folder.read("package.json"),
      "api/v1/video.ts": folder.read("api/v1/video.ts"),
    });
    const { code, errors } = await other.run("build --type-check=false");
    other.remove();
    expect([code, errors.join()]).toEqual([1, expect.stringContaining("esbuild is not installed")]);
  });

  describe("to a cluster", () => {
    let cluster: TestCluster;
    beforeAll(async () => {
      // Tokens and certificates are checked by the time of day.
      cluster = await startCluster({ nodes: 0, controllers: [], startMs: systemClock.now() });
    });
    afterAll(() => cluster.stop());

    /** As a pod of the Deployment has it. */
    async function serviceAccountKubeconfig(admin: string): Promise<string> {
      const { status } = await cluster.client.core.v1
        .serviceaccounts(namespace)
        .subresource<{ spec: object; status?: { token: string } }>("token")
        .create("op-controller-manager", { spec: { audiences: [] } });
      const config = parseYaml(readFileSync(admin, "utf8")).value as {
        contexts: { context: object }[];
        users: { user: object }[];
      };
      for (const each of config.contexts) each.context = { ...each.context, namespace };
      for (const each of config.users) each.user = { token: status?.token };
      folder.write("dist/kubeconfig", stringifyYaml(config));
      return `${folder.directory}/dist/kubeconfig`;
    }

    it("the built file runs with no more than the deployed roles: leads, makes certificates, reconciles", async () => {
      expect((await folder.run("build")).output).toContain("wrote Dockerfile (1 KB)");
      const admin = await cluster.kubeconfig();
      const { code, output, errors } = await folder.run(`deploy --wait=false --kubeconfig ${admin} --image op:1`);
      expect([code, errors, output.filter((line) => line.startsWith("✓"))]).toEqual([
        0,
        [],
        expect.objectContaining({ length: 20 }),
      ]);
      // Node is elsewhere in the image; its flags are the same.
      const entryPoint = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(folder.read("Dockerfile"))?.[1] ?? "") as string[];
      const flags = ["--leader-elect", "--health-probe-bind-address=127.0.0.1:0", "--webhook-bind-address=127.0.0.1:0"];
      const program = spawn(
        process.execPath,
        [...entryPoint.slice(1, -1), "dist/main.mjs", "--kubeconfig", await serviceAccountKubeconfig(admin), ...flags],
        { cwd: folder.directory, stdio: ["ignore", "ignore", "pipe"] },
      );
      const ended = once(program, "close");
      let log = "";
      program.stderr.setEncoding("utf8").on("data", (text: string) => void (log += text));
      const { client } = cluster;
      try {
        const definitions = client.apiextensions.v1.customresourcedefinitions();
        const bundle = ({ spec }: CustomResourceDefinition) => spec.conversion?.webhook?.clientConfig?.caBundle;
        await expect
          .poll(async () => bundle(await definitions.get("videos.media.example.com")), { timeout: 120_000 })
          .toBeTruthy();
        await expect.poll(() => log, { timeout: 120_000 }).toContain("Starting workers");
        const leases = await client.coordination.v1.leases(namespace).list();
        expect(leases.items.map(({ metadata }) => metadata?.name)).toEqual(["op.example.com"]);
        // The API server has no way to the webhooks' Service here.
        await client.admissionregistration.v1
          .mutatingwebhookconfigurations()
          .delete("op-mutating-webhook-configuration");
        await client.admissionregistration.v1
          .validatingwebhookconfigurations()
          .delete("op-validating-webhook-configuration");
        const videos = client.dynamic<{ metadata: { name: string }; spec: object; status?: object }>(
          resource,
          "default",
        );
        await expect
          .poll(async () => (await videos.create({ metadata: { name: "a" }, spec: {} })).metadata.name, {
            timeout: 120_000,
          })
          .toBe("a");
        await expect
          .poll(async () => (await videos.get("a")).status, { timeout: 120_000 })
          .toMatchObject({ conditions: [{ type: "Ready", status: "True" }] });
      } finally {
        program.kill("SIGTERM");
        await ended;
      }
      expect(log).not.toMatch(/"level":"(?:warn|error)"/);
    });
  });
});
