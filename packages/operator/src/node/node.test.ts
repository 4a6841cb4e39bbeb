import { mkdtemp, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiServer, createInProcessTransport, startApiServer } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { systemRuntime } from "@coxswain/runtime";
import { createVirtualClock, systemClock } from "@coxswain/runtime/clock";
import { createSeededRandom, systemRandom } from "@coxswain/runtime/random";
import { createMemoryStore } from "@coxswain/storage/memory";
import { readCertificates } from "@coxswain/wire/x509";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtIn, createManager, defineResource, spoke, webhookPath } from "../index.js";
import type { Servers } from "../serving/index.js";
import { certificateFiles, managedCertificates, nodeServers, parseAddress, planCertificates } from "./index.js";

const { configmaps } = builtIn.core.v1;
const day = 86_400_000;
const hosts = ["hook.default.svc"];

describe("certificates", () => {
  const random = createSeededRandom(1);
  const at = (now: number, found?: ReturnType<typeof planCertificates>) =>
    planCertificates(found, { hosts, commonName: "hook", now, random });
  const begin = Date.UTC(2026, 0, 1);
  const first = at(begin);

  it("are kept while they are good", () => expect(at(begin + 200 * day, first)).toBe(first));
  it("the serving one is renewed before it expires, by the same authority", () => {
    const next = at(begin + 300 * day, first);
    expect(next.certificate).not.toBe(first.certificate);
    expect(next.caCertificates).toBe(first.caCertificates);
  });
  it("the authority is renewed too, and the old one stays trusted", () => {
    const next = at(begin + 3300 * day, first);
    expect(readCertificates(next.caCertificates)).toHaveLength(2);
    expect(next.caCertificates.endsWith(first.caCertificates)).toBe(true);
  });
  it("an expired authority is forgotten", () =>
    expect(readCertificates(at(begin + 4000 * day, first).caCertificates)).toHaveLength(1));
  it("for another name, or with a damaged key, there are new ones", () => {
    const other = planCertificates(first, { hosts: ["other"], commonName: "hook", now: begin, random });
    expect(other.certificate).not.toBe(first.certificate);
    expect(at(begin, { ...first, key: "damaged" }).key).not.toBe("damaged");
    expect(at(begin, { ...first, caKey: "damaged" }).caKey).not.toBe("damaged");
  });
});

describe("addresses", () => {
  for (const [text, host, port] of [
    [":8081", undefined, 8081],
    ["127.0.0.1:0", "127.0.0.1", 0],
    ["[::1]:9443", "::1", 9443],
  ] as const)
    it(`${text} is read`, () => expect(parseAddress(text)).toEqual({ host, port }));
  it("others are refused", () => expect(() => parseAddress("nowhere")).toThrow("is no address"));
});

describe("over sockets", { timeout: 120_000 }, () => {
  let server: ApiServer;
  let client: Client;
  beforeEach(async () => {
    server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
    client = createClient({
      transport: createInProcessTransport(server, { user: { name: "admin", groups: ["system:masters"] } }),
      onWarning: (text) => void warnings.push(typeof text === "string" ? text : JSON.stringify(text)),
    });
  });
  afterEach(() => server.stop());
  const warnings: string[] = [];

  it("certificates whose first write fails are written at the next try", async () => {
    const certificates = managedCertificates({ client, namespace: "later", secret: "tls", service: "hook" });
    const made = certificates.current();
    await client.core.v1.namespaces().create({ metadata: { name: "later" } });
    expect((await made).certificate).toContain("BEGIN CERTIFICATE");
  });

  it("a webhook that is called at somebody else's URL keeps its authority", async () => {
    const configurations = client.admissionregistration.v1.mutatingwebhookconfigurations();
    const hook = (name: string, clientConfig: object) => ({
      name,
      sideEffects: "None" as const,
      admissionReviewVersions: ["v1"],
      clientConfig,
    });
    const service = { name: "hook", namespace: "default" };
    const webhooks = [hook("local.example.com", { url: "https://127.0.0.1:1" }), hook("own.example.com", { service })];
    await configurations.create({ metadata: { name: "mixed" }, webhooks });
    const inject = { mutating: ["mixed"] };
    await managedCertificates({ client, namespace: "default", secret: "tls", service: "hook", inject }).current();
    const bundles = (await configurations.get("mixed")).webhooks?.map(({ clientConfig }) => clientConfig.caBundle);
    expect(bundles).toEqual([undefined, expect.any(String)]);
  });

  it("the API server calls webhooks with certificates that the operator made and injected", async () => {
    const ports: Record<string, number> = {};
    const servers = recordPorts(nodeServers(), ports);
    const certificates = managedCertificates({
      client,
      namespace: "default",
      secret: "hook-tls",
      service: "hook",
      hosts: ["127.0.0.1"],
      inject: { mutating: ["hook"], validating: ["hook", "not-yet"] },
    });
    const manager = createManager({ client, servers, webhooks: { address: "127.0.0.1:0", certificates } });
    manager.webhook(configmaps, {
      default: (map) => void (map.data = { greeting: "hello", ...map.data }),
      validate: {
        create(map, admission) {
          if (map.data?.["greeting"] === "bye") throw new Error("that is rude");
          admission.warn("be careful");
        },
      },
    });
    // Made before the start, and with a port that is only known after it: the bundle is injected at the next look.
    const ended = manager.start();
    await manager.started;
    const rules = [
      { apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE" as const] },
    ];
    const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": "default" } };
    const hook = (action: "mutate" | "validate") => ({
      name: `${action}.example.com`,
      rules,
      namespaceSelector,
      sideEffects: "None" as const,
      admissionReviewVersions: ["v1"],
      clientConfig: { url: `https://127.0.0.1:${ports["webhook"]}${webhookPath(action, configmaps)}` },
    });
    const registration = client.admissionregistration.v1;
    await registration
      .mutatingwebhookconfigurations()
      .create({ metadata: { name: "hook" }, webhooks: [hook("mutate")] });
    await registration
      .validatingwebhookconfigurations()
      .create({ metadata: { name: "hook" }, webhooks: [hook("validate")] });
    await certificates.current();
    const injected = await registration.mutatingwebhookconfigurations().get("hook");
    expect(injected.webhooks?.[0]?.clientConfig.caBundle).toBeTruthy();

    const maps = client.core.v1.configmaps("default");
    await expect
      .poll(async () => (await maps.create({ metadata: { generateName: "a-" } })).data, { timeout: 60_000 })
      .toEqual({ greeting: "hello" });
    await expect(maps.create({ metadata: { name: "b" }, data: { greeting: "bye" } })).rejects.toThrow("that is rude");
    expect(warnings.join()).toContain("be careful");
    expect(manager.metrics.text()).toContain(
      'controller_runtime_webhook_requests_total{code="200",webhook="/validate--v1-configmap"}',
    );
    await manager.stop();
    await ended;
  });

  it("the API server converts objects by the operator, also those that are stored, and reports why it cannot", async () => {
    const ports: Record<string, number> = {};
    const facts = { group: "media.example.com", kind: "Video", resource: "videos", scope: "Namespaced" } as const;
    interface Video {
      metadata?: { name?: string; labels?: Record<string, string> };
      spec: { bytes: number };
    }
    interface OldVideo {
      metadata?: { name?: string; labels?: Record<string, string> };
      spec: { size: string };
    }
    const videos = defineResource<Video>({ ...facts, version: "v1" });
    const oldVideos = defineResource<OldVideo>({ ...facts, version: "v1alpha1" });
    const certificates = managedCertificates({
      client,
      namespace: "default",
      secret: "conversion-tls",
      service: "hook",
      hosts: ["127.0.0.1"],
      inject: { definitions: ["videos.media.example.com"] },
    });
    const manager = createManager({
      client,
      servers: recordPorts(nodeServers(), ports),
      webhooks: { address: "127.0.0.1:0", certificates },
    });
    manager.conversion(videos, [
      spoke<Video, OldVideo>(oldVideos, {
        toHub({ spec }) {
          if (!spec.size.endsWith("B")) throw new Error(`"${spec.size}" is no size`);
          return { spec: { bytes: Number.parseInt(spec.size, 10) } };
        },
        fromHub: ({ spec }) => ({ spec: { size: `${spec.bytes}B` } }),
      }),
    ]);
    const ended = manager.start();
    await manager.started;
    const schema = (property: string, type: string) => ({
      openAPIV3Schema: {
        type: "object",
        properties: { spec: { type: "object", properties: { [property]: { type } } } },
      },
    });
    await client.apiextensions.v1.customresourcedefinitions().create({
      metadata: { name: "videos.media.example.com" },
      spec: {
        group: facts.group,
        scope: facts.scope,
        names: { kind: facts.kind, plural: facts.resource },
        versions: [
          { name: "v1", served: true, storage: true, schema: schema("bytes", "integer") },
          { name: "v1alpha1", served: true, storage: false, schema: schema("size", "string") },
        ],
        conversion: {
          strategy: "Webhook",
          webhook: {
            conversionReviewVersions: ["v1"],
            clientConfig: { url: `https://127.0.0.1:${ports["webhook"]}/convert` },
          },
        },
      },
    });
    await certificates.current();
    const [fresh, old] = [client.dynamic<Video>(videos, "default"), client.dynamic<OldVideo>(oldVideos, "default")];
    const labels = { kept: "yes" };
    await expect
      .poll(
        async () => {
          try {
            return (await old.create({ metadata: { generateName: "a-", labels } as object, spec: { size: "7B" } }))
              .spec;
          } catch (error) {
            return (error as Error).message; // not served yet
          }
        },
        { timeout: 60_000 },
      )
      .toEqual({ size: "7B" });
    expect((await fresh.list()).items).toMatchObject([{ metadata: { labels }, spec: { bytes: 7 } }]);
    await fresh.create({ metadata: { name: "b" }, spec: { bytes: 9 } });
    expect((await old.get("b")).spec).toEqual({ size: "9B" });
    expect((await old.list()).items.map(({ spec }) => spec.size).sort()).toEqual(["7B", "9B"]);
    await expect(old.create({ metadata: { name: "c" }, spec: { size: "large" } })).rejects.toThrow(
      '"large" is no size',
    );
    await manager.stop();
    await ended;
  });

  it("two replicas that start together share one Secret", async () => {
    const source = () => managedCertificates({ client, namespace: "default", secret: "shared", service: "hook" });
    const [one, two] = await Promise.all([source().current(), source().current()]);
    expect(one.certificate).toBe(two.certificate);
  });

  it("a renewed certificate is served without a restart", async () => {
    const directory = await mkdtemp(join(tmpdir(), "operator-"));
    const plan = () =>
      planCertificates(undefined, {
        hosts: ["localhost"],
        commonName: "localhost",
        now: systemClock.now(),
        random: systemRandom,
      });
    const [first, second] = [plan(), plan()];
    const write = async ({ certificate, key }: typeof first): Promise<void> => {
      await writeFile(join(directory, "tls.crt"), certificate);
      await writeFile(join(directory, "tls.key"), key);
    };
    await write(first);
    const clock = createVirtualClock();
    const certificates = certificateFiles({ directory, runtime: systemRuntime({ ioClock: clock }) });
    const handler = () => ({ body: "hi" });
    const running = await nodeServers().listen({ name: "test", address: "127.0.0.1:0", handler, certificates });
    const get = (ca: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const sent = request(
          { host: "127.0.0.1", port: running.port, ca, servername: "localhost", agent: false },
          (response) => {
            response.setEncoding("utf8").on("data", resolve);
          },
        );
        sent.on("error", reject).end();
      });
    expect(await get(first.caCertificates)).toBe("hi");
    await write(second);
    await expect
      .poll(
        async () => {
          await clock.advance(10_000);
          return get(second.caCertificates).catch((error: Error) => error.message);
        },
        { timeout: 60_000 },
      )
      .toBe("hi");
    await running.stop();
  });

  it("metrics and probes are served, and named as controller-runtime names them", async () => {
    const ports: Record<string, number> = {};
    const manager = createManager({
      client,
      servers: recordPorts(nodeServers(), ports),
      metrics: { address: "127.0.0.1:0" },
      health: { address: "127.0.0.1:0" },
    });
    let ready = false;
    manager.readyCheck("warm", () => (ready ? undefined : "not yet"));
    manager
      .controller("maps")
      .for(configmaps)
      .reconcile(() => {});
    const ended = manager.start();
    await manager.started;
    const get = async (server: string, path: string): Promise<[number, string]> => {
      const response = await fetch(`http://127.0.0.1:${ports[server]}${path}`);
      return [response.status, await response.text()];
    };
    expect(await get("health probe", "/healthz")).toEqual([200, "ok"]);
    expect(await get("health probe", "/readyz")).toEqual([
      500,
      "[-]warm failed: reason withheld\nhealthz check failed\n",
    ]);
    ready = true;
    expect(await get("health probe", "/readyz?verbose")).toEqual([200, "[+]warm ok\nhealthz check passed\n"]);
    await manager.elected;
    await expect
      .poll(async () => (await get("metrics", "/metrics"))[1])
      .toContain('controller_runtime_max_concurrent_reconciles{controller="maps"} 1');
    const [, text] = await get("metrics", "/metrics");
    for (const name of [
      "controller_runtime_reconcile_total",
      "controller_runtime_active_workers",
      "workqueue_depth",
      "workqueue_adds_total",
    ])
      expect(text).toContain(`${name}{`);
    await manager.stop();
    await ended;
  });
});

const recordPorts = (servers: Servers, ports: Record<string, number>): Servers => ({
  async listen(options) {
    const running = await servers.listen(options);
    ports[options.name] = running.port;
    return running;
  },
});
