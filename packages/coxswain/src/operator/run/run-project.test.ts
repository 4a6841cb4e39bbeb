import { systemClock } from "@coxswain/runtime/clock";
import { pollUntil } from "@coxswain/runtime/wait";
import { startCluster, type TestCluster } from "@coxswain/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyObject } from "../apply/apply-object.js";
import type { Manifest } from "../apply/read-manifests.js";
import { withAddress } from "../apply/webhook-addresses.js";
import { type ProjectFolder, projectFolder, type RunningCommand } from "../project-folder.test.support.js";
import { createRegisteredWebhooks } from "./registered-webhooks.js";

const resource = { group: "media.example.com", version: "v1alpha1", resource: "videos", kind: "Video" };
interface Video {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly example?: string };
  readonly status?: { readonly conditions?: { reason: string }[] };
}
const api = "create api --group media --kind Video --version";
const webhook = "create webhook --group media --kind Video --version v1alpha1";

describe("coxswain operator run", { timeout: 600_000 }, () => {
  let cluster: TestCluster;
  let folder: ProjectFolder;
  let line: string;
  beforeAll(async () => {
    // Webhooks' certificates are checked by the time of day.
    cluster = await startCluster({ nodes: 0, controllers: [], startMs: systemClock.now() });
    folder = projectFolder();
    for (const command of ["init --domain example.com --name op", `${api} v1alpha1`, `${api} v1`])
      await folder.run(command);
    folder.install();
    line = `run --kubeconfig ${await cluster.kubeconfig()} --type-check=false`;
  });
  afterAll(async () => {
    await cluster.stop();
    folder.remove();
  });

  async function printed(command: RunningCommand, text: string, times = 1): Promise<void> {
    const count = (): number => command.lines.filter((each) => each.includes(text)).length;
    if (!(await pollUntil(() => count() >= times, { intervalMs: 20, timeoutMs: 120_000 })))
      throw new Error(`${text} is not among\n${command.lines.join("\n")}`);
  }
  const replace = (path: string, from: string, to: string): void =>
    folder.write(path, folder.read(path).replace(from, to));
  const configurations = async (): Promise<number> =>
    (await cluster.client.admissionregistration.v1.mutatingwebhookconfigurations().list()).items.length;

  it("reconciles, takes in changes of sources and a new webhook, and leaves no webhook behind", async () => {
    const command = folder.start(line);
    const videos = cluster.client.dynamic<Video>(resource, "default");
    const reason = async (name: string) => (await videos.get(name)).status?.conditions?.[0]?.reason;
    try {
      await printed(command, "✓ the operator runs");
      await videos.create({ metadata: { name: "first" }, spec: {} });
      await expect.poll(() => reason("first"), { timeout: 120_000 }).toBe("Reconciled");

      replace("controllers/video-controller.ts", '"Reconciled"', '"Changed"');
      await printed(command, "✓ the operator runs", 2);
      await videos.create({ metadata: { name: "second" }, spec: {} });
      await expect.poll(() => reason("second"), { timeout: 120_000 }).toBe("Changed");

      await folder.run(`${webhook} --defaulting --conversion`);
      replace("webhooks/v1alpha1/video-defaulting.ts", "void object;", 'object.spec.example ??= "filled in";');
      await printed(command, "✓ webhooks are called at https://127.0.0.1:");
      const filled = async (): Promise<string | undefined> =>
        (await videos.create({ metadata: { name: `v${systemClock.monotonic()}` }, spec: {} })).spec.example;
      await expect.poll(filled, { timeout: 120_000 }).toBe("filled in");
      const converted = cluster.client.dynamic<Video>({ ...resource, version: "v1" }, "default");
      expect((await converted.get("first")).metadata.name).toBe("first");
      expect(await configurations()).toBe(1);
    } finally {
      expect(await command.stop()).toBe(0);
    }
    expect(command.lines.at(-1)).toBe("✓ stopped");
    expect(await configurations()).toBe(0);
  });

  it("errors in types and syntax are printed with their place, and the operator before them runs on", async () => {
    const command = folder.start(line);
    await printed(command, "✓ the operator runs");
    replace("api/v1/video.ts", "example?: string", "example?: Date");
    await printed(command, "api/v1/video.ts:10:13: JSON has no dates");
    replace("api/v1/video.ts", "example?: Date", "example?: string");
    replace("main.ts", "await runOperator", "await = runOperator");
    await printed(command, 'Unexpected "="');
    replace("main.ts", "await = runOperator", "await runOperator");
    expect(await command.stop()).toBe(0);
    expect(command.lines.filter((each) => each.includes("the operator runs"))).toHaveLength(1);
  });

  it("an operator that is deployed, too, is named; one that ends by itself is started again after a change, or ends the command with --watch=false", async () => {
    const main = folder.read("main.ts");
    folder.write("main.ts", `if (process.argv.includes("--fail")) process.exit(7);\n${main}`);
    const labels = { app: "op" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "manager", image: "op" }] } };
    await cluster.client.core.v1.namespaces().create({ metadata: { name: "op-system" } });
    await cluster.client.apps.v1
      .deployments("op-system")
      .create({ metadata: { name: "op-controller-manager" }, spec: { selector: { matchLabels: labels }, template } });
    const watched = folder.start(`${line} -- --fail`);
    await printed(watched, "the operator ended with code 7");
    await printed(watched, "kubectl scale deployment/op-controller-manager --namespace op-system --replicas=0");
    expect(await watched.stop()).toBe(0);
    expect((await folder.run(`${line} --watch=false -- --fail`)).code).toBe(7);
    folder.write("main.ts", main);
  });

  it("webhooks of an operator that is deployed there are its own again afterwards", async () => {
    const { client } = cluster;
    const mutating = client.admissionregistration.v1.mutatingwebhookconfigurations();
    const manifest = (clientConfig: object): Manifest =>
      ({
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "MutatingWebhookConfiguration",
        metadata: { name: "deployed" },
        webhooks: [{ name: "a.example.com", sideEffects: "None", admissionReviewVersions: ["v1"], clientConfig }],
      }) as Manifest;
    const service = { name: "hooks", namespace: "op-system", path: "/mutate" };
    await applyObject(client, manifest({ service, caBundle: "Q0E=" }));
    const registered = createRegisteredWebhooks(client);
    const address = async () => (await mutating.get("deployed")).webhooks?.[0]?.clientConfig;
    await registered.register([withAddress(manifest({ service }), "https://127.0.0.1:1", "T1dO")]);
    expect(await address()).toEqual({ url: "https://127.0.0.1:1/mutate", caBundle: "T1dO" });
    await registered.remove();
    expect(await address()).toEqual({ service: { ...service, port: 443 }, caBundle: "Q0E=" });
  });

  const definition = (name: string, conversion?: object): Manifest => {
    const version = (versionName: string) => ({
      name: versionName,
      served: true,
      storage: versionName === "v1",
      schema: { openAPIV3Schema: { type: "object" } },
    });
    const names = { plural: `${name}s`, singular: name, kind: name, listKind: `${name}List` };
    return {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${name}s.conversion.example.com` },
      spec: {
        group: "conversion.example.com",
        scope: "Namespaced",
        names,
        versions: [version("v1"), version("v2")],
        ...(conversion && { conversion }),
      },
    } as Manifest;
  };
  const byWebhook = (clientConfig: object) => ({
    strategy: "Webhook",
    webhook: { conversionReviewVersions: ["v1"], clientConfig },
  });
  const service = { name: "hooks", namespace: "op-system", path: "/convert", port: 443 };
  const conversions: [name: string, kind: string, before: object | undefined, after: object][] = [
    ["none is none again", "plain", { strategy: "None" }, { strategy: "None" }],
    ["a Service's is the Service's again", "served", byWebhook({ service }), byWebhook({ service })],
    ["a new one's is the delivered one", "fresh", undefined, byWebhook({ service })],
    [
      "a killed run's is the delivered one",
      "left",
      byWebhook({ url: "https://127.0.0.1:9/convert" }),
      byWebhook({ service }),
    ],
  ];
  for (const [name, kind, before, after] of conversions)
    it(`the conversion of a definition is as it was afterwards: ${name}`, async () => {
      const { client } = cluster;
      const definitions = client.apiextensions.v1.customresourcedefinitions();
      if (before) await applyObject(client, definition(kind, before));
      const registered = createRegisteredWebhooks(client);
      const delivered = definition(kind, byWebhook({ service }));
      await registered.remember(delivered);
      await applyObject(client, withAddress(delivered, "https://127.0.0.1:1", "T1dO"));
      await registered.remove();
      expect((await definitions.get(`${kind}s.conversion.example.com`)).spec.conversion).toEqual(after);
    });

  it("outside of a project nothing is run", async () => {
    const other = projectFolder();
    expect(await other.run(line)).toMatchObject({
      code: 1,
      errors: [expect.stringContaining("no operator's project")],
    });
    other.remove();
  });
});
