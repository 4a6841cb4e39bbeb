import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createInProcessClient } from "../server/in-process/in-process-client.js";
import {
  create,
  createService,
  endpoints,
  fishService,
  startTestAggregator,
  type TestAggregator,
  untilReason,
} from "./test-aggregator.test.support.js";
import { fishGroup, fishPath, sendJson } from "./test-backend.test.support.js";

const fish = `${fishPath}/namespaces/default/fish`;
const v2 = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

describe("an API server behind this one", () => {
  let world: TestAggregator;
  beforeAll(async () => {
    world = await startTestAggregator();
    await world.register();
    await untilReason(world.api, "Passed");
  });
  afterAll(() => world.stop());

  it("is available, and its condition has the reason", async () => {
    const { status } = (await world.api.request({
      method: "GET",
      path: `/apis/apiregistration.k8s.io/v1/apiservices/v1.${fishGroup}`,
    })) as { status: { conditions: object[] } };
    expect(status.conditions).toMatchObject([
      { type: "Available", status: "True", reason: "Passed", message: "all checks passed" },
    ]);
  });

  it("gets the user in headers that it trusts with this server's certificate, and never the user's own credentials", async () => {
    world.backend.on(fish, (_, response) => sendJson(response, { kind: "FishList" }));
    const impersonating = { "impersonate-user": "jane", "impersonate-group": "system:masters" };
    const sent = { ...impersonating, "x-remote-group": "forged", "x-custom": "kept" };
    expect((await world.ask(`${fish}?limit=5`, { headers: sent })).code).toBe(200);
    // The server asks for discovery whenever it likes.
    const { headers, certificate } = world.backend.asked.findLast(({ path }) => path === `${fish}?limit=5`) ?? {};
    expect(certificate).toBe("front-proxy-client");
    expect(headers).toMatchObject({
      "x-remote-user": "jane",
      "x-remote-group": expect.stringMatching(/^system:masters(, ?system:authenticated)?$/),
      "x-custom": "kept",
      "audit-id": expect.any(String),
      host: `127.0.0.1:${world.backend.port}`,
    });
    expect(Object.keys(headers ?? {}).filter((name) => /^(authorization|impersonate-)/.test(name))).toEqual([]);
  });

  it("gets a body as it was sent, and its answer comes back as it is", async () => {
    world.backend.on(fish, (request, response) => {
      response.writeHead(201, {
        "content-type": "application/vnd.fish",
        "x-fin": "1",
        "access-control-allow-origin": "*",
      });
      request.pipe(response);
    });
    const { code, headers, text } = await world.ask(fish, { method: "POST", body: "a".repeat(5_000_000) });
    expect([code, headers["content-type"], headers["x-fin"], text.length]).toEqual([
      201,
      "application/vnd.fish",
      "1",
      5_000_000,
    ]);
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  });

  it("is asked by clients in the same process too: objects, failures and watches", async () => {
    world.backend.on(fish, (request, response) => {
      if (request.method === "POST")
        return sendJson(
          response,
          { kind: "Status", code: 409, reason: "AlreadyExists", message: "swims already" },
          undefined,
          409,
        );
      if (!request.url?.includes("watch")) return sendJson(response, { kind: "FishList", items: [] });
      response.writeHead(200, { "content-type": "application/json" });
      response.write(`${JSON.stringify({ type: "ADDED", object: { metadata: { name: "nemo" } } })}\n`);
    });
    const { api } = world;
    expect(await api.request({ method: "GET", path: fish })).toEqual({ kind: "FishList", items: [] });
    await expect(create(api, fish, {})).rejects.toThrow("swims already");
    const done = new AbortController();
    for await (const event of api.watch({ method: "GET", path: `${fish}?watch=1`, signal: done.signal })) {
      expect(event).toEqual({ type: "ADDED", object: { metadata: { name: "nemo" } } });
      break;
    }
    done.abort();
  });

  it("sends events of a watch as they happen, and notices that the client is gone", async () => {
    let over: () => void = () => {};
    const gone = new Promise<void>((resolve) => (over = resolve));
    world.backend.on(fish, (_, response) => {
      response.on("close", over);
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"type":"ADDED"}\n');
    });
    const response = await world.open(`${fish}?watch=1`);
    const first = await new Promise((resolve) => response.once("data", (chunk: Buffer) => resolve(chunk.toString())));
    expect(first).toBe('{"type":"ADDED"}\n');
    response.destroy();
    await gone;
  });

  it("may change protocols: bytes go both ways", async () => {
    const { request } = await import("node:https");
    const text = await new Promise<string>((resolve, reject) => {
      const headers = { connection: "Upgrade", upgrade: "SPDY/3.1" };
      request(`${world.url}${fishPath}/namespaces/default/fish/nemo/exec`, {
        method: "POST",
        agent: false,
        ...world.tls,
        headers,
      })
        .on("upgrade", (_, socket, head) => {
          let received = head.toString();
          socket.on("data", (chunk: Buffer) => {
            received += chunk.toString();
            if (received !== "hello there") return;
            socket.destroy();
            resolve(received);
          });
          socket.write("there");
        })
        .on("error", reject)
        .end();
    });
    expect(text).toBe("hello there");
    expect(world.backend.asked.findLast(({ headers }) => headers.upgrade !== undefined)?.headers).toMatchObject({
      "x-remote-user": "kubernetes-admin",
      upgrade: "SPDY/3.1",
    });
    const refused = await world.ask(`${fishPath}/refuse`, { headers: { connection: "Upgrade", upgrade: "SPDY/3.1" } });
    expect([refused.code, refused.text]).toEqual([403, "no"]);
  });

  it("cannot send clients elsewhere", async () => {
    world.backend.on(fish, (_, response) => void response.writeHead(307, { location: "https://127.0.0.1:1/" }).end());
    const { code, headers, text } = await world.ask(fish);
    expect([code, headers.location, text]).toEqual([
      502,
      undefined,
      "the backend attempted to redirect this request, which is not permitted",
    ]);
  });

  it("answers for its own group-version what this server knows nothing of", async () => {
    const { code, text } = await world.ask(`${fishPath}/namespaces/default/whales`);
    expect([code, text]).toEqual([404, "404 page not found"]);
    expect((await world.ask(fishPath)).text).toContain('"groupVersion":"fish.example.com/v1"');
    expect((await world.ask(`/apis/${fishGroup}/v2/namespaces/default/fish`)).code).toBe(404);
  });

  it("is listed in discovery by its priority, in both forms", async () => {
    const list = JSON.parse((await world.ask("/apis")).text) as { groups: { name: string }[] };
    const names = list.groups.map(({ name }) => name);
    expect([names[0], names.at(-1)]).toEqual(["apiregistration.k8s.io", fishGroup]);
    expect(JSON.parse((await world.ask(`/apis/${fishGroup}`)).text)).toMatchObject({
      kind: "APIGroup",
      preferredVersion: { groupVersion: `${fishGroup}/v1`, version: "v1" },
    });
    await expect
      .poll(async () => {
        const { items } = JSON.parse((await world.ask("/apis", { headers: { accept: v2 } })).text) as {
          items: { metadata: { name: string }; versions: object[] }[];
        };
        return items.find(({ metadata }) => metadata.name === fishGroup)?.versions;
      })
      .toMatchObject([{ version: "v1", freshness: "Current", resources: [{ resource: "fish", scope: "Namespaced" }] }]);
    expect(JSON.parse((await world.ask("/")).text)).toMatchObject({ paths: expect.arrayContaining([fishPath]) });
  });

  it("describes itself: OpenAPI 3 by its own documents, OpenAPI 2 in the one for all", async () => {
    const name = fishPath.slice(1);
    await expect
      .poll(
        async () =>
          (JSON.parse((await world.ask("/openapi/v3")).text) as { paths: Record<string, unknown> }).paths[name],
      )
      .toEqual({ serverRelativeURL: `/openapi/v3${fishPath}?hash=F15` });
    expect(JSON.parse((await world.ask(`/openapi/v3${fishPath}?hash=F15`)).text)).toEqual({
      openapi: "3.0.0",
      paths: {},
    });
    const { paths, definitions } = JSON.parse((await world.ask("/openapi/v2")).text) as Record<string, object>;
    expect(Object.keys(paths ?? {})).toEqual(expect.arrayContaining([`${fishPath}/fish`, "/api/v1/pods"]));
    expect(definitions).toHaveProperty("Fish");
    expect(definitions).not.toHaveProperty("Version");
  });
});

describe("whether it is available", () => {
  let world: TestAggregator;
  beforeAll(async () => void (world = await startTestAggregator()));
  afterAll(() => world.stop());
  const change = (method: string, path: string, body?: object): Promise<unknown> =>
    world.api.request({ method, path, body, headers: { "content-type": "application/merge-patch+json" } });
  const services = "/api/v1/namespaces/aquarium/services";
  const slices = "/apis/discovery.k8s.io/v1/namespaces/aquarium/endpointslices";
  const apiService = `/apis/apiregistration.k8s.io/v1/apiservices/v1.${fishGroup}`;

  it("follows its service, its endpoints and its answers", async () => {
    const { api, backend } = world;
    await create(api, "/apis/apiregistration.k8s.io/v1/apiservices", fishService({ caBundle: backend.caBundle }));
    await untilReason(api, "ServiceNotFound");
    await create(api, "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "aquarium" } });
    await createService(api, 80);
    await untilReason(api, "ServicePortError");
    await change("DELETE", `${services}/fish`);
    await createService(api);
    await untilReason(api, "EndpointsNotFound");
    await create(api, slices, { ...endpoints, endpoints: [] });
    await untilReason(api, "MissingEndpoints");
    backend.on(fishPath, (_, response) => void response.writeHead(500).end());
    await change("PATCH", `${slices}/fish-1`, { endpoints: endpoints.endpoints });
    const url = `https://127.0.0.1:${backend.port}${fishPath}`;
    expect(await untilReason(api, "FailedDiscoveryCheck")).toMatchObject({
      status: "False",
      message: `failing or missing response from ${url}: bad status from ${url}: 500`,
    });
    const { code, text, headers } = await world.ask(fish);
    expect([code, text, headers["content-type"]]).toEqual([503, "service unavailable\n", "text/plain; charset=utf-8"]);
    const metrics = (await world.ask("/metrics")).text;
    expect(metrics).toContain(`aggregator_unavailable_apiservice{name="v1.${fishGroup}"} 1\n`);
    expect(metrics).toContain('aggregator_unavailable_apiservice{name="v1.apps"} 0\n');
    backend.on(fishPath, undefined);
    await untilReason(api, "Passed");
    await change("DELETE", `${services}/fish`);
    await untilReason(api, "ServiceNotFound");
    expect((await world.ask("/metrics")).text).toContain(
      `aggregator_unavailable_apiservice_total{name="v1.${fishGroup}",reason="ServiceNotFound"} 1\n`,
    );
    await createService(api);
    await untilReason(api, "Passed");
  });

  it("a certificate for another name, or by another authority, is none", async () => {
    const { api } = world;
    await change("PATCH", apiService, { spec: { caBundle: null } });
    expect((await untilReason(api, "FailedDiscoveryCheck")).message).toContain(
      "x509: certificate signed by unknown authority",
    );
    await change("PATCH", apiService, { spec: { insecureSkipTLSVerify: true } });
    await untilReason(api, "Passed");
    await change("PATCH", apiService, {
      spec: { insecureSkipTLSVerify: false, caBundle: world.backend.caBundle, service: { name: "fish2" } },
    });
    await untilReason(api, "ServiceNotFound");
  });

  it("one that is deleted is asked no longer: its paths lead nowhere", async () => {
    await change("DELETE", apiService);
    expect((await world.ask(fish)).code).toBe(404);
    expect((await world.ask("/apis")).text).not.toContain(fishGroup);
    expect((await world.ask("/metrics")).text).not.toContain(
      `aggregator_unavailable_apiservice{name="v1.${fishGroup}"}`,
    );
  });
});

describe("APIServices of what this server serves itself", () => {
  let world: TestAggregator;
  beforeAll(async () => void (world = await startTestAggregator()));
  afterAll(() => world.stop());
  const path = "/apis/apiregistration.k8s.io/v1/apiservices";

  it("a custom resource gets one as soon as it is defined, and loses it with its definition", async () => {
    const { api } = world;
    await create(api, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "boats.sea.example.com" },
      spec: {
        group: "sea.example.com",
        scope: "Namespaced",
        names: { plural: "boats", kind: "Boat" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    });
    await untilReason(api, "Local", "v1.sea.example.com");
    expect(await api.request({ method: "GET", path: `${path}/v1.sea.example.com` })).toMatchObject({
      metadata: { labels: { "kube-aggregator.kubernetes.io/automanaged": "true" } },
      spec: { group: "sea.example.com", version: "v1", groupPriorityMinimum: 1000, versionPriority: 100 },
    });
    await api.request({ method: "DELETE", path: `${path}/v1.sea.example.com` });
    await untilReason(api, "Local", "v1.sea.example.com");
    await api.request({
      method: "DELETE",
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.sea.example.com",
    });
    await expect
      .poll(() => api.request({ method: "GET", path: `${path}/v1.sea.example.com` }).catch((err: Error) => err.message))
      .toContain("not found");
  });

  it("a built-in one that was deleted is no longer listed, and served all the same", async () => {
    const { api } = world;
    await api.request({ method: "DELETE", path: `${path}/v1.batch` });
    expect((await world.ask("/apis")).text).not.toContain('"batch"');
    expect((await world.ask("/apis/batch")).code).toBe(200);
    expect((await world.ask("/apis/batch/v1/jobs")).code).toBe(200);
  });

  it("who may not see an aggregated resource is not handed on", async () => {
    await world.register();
    await untilReason(world.api, "Passed");
    const nobody = createInProcessClient(world.server, { user: { name: "nobody", groups: [] } });
    const before = world.backend.asked.length;
    await expect(nobody.request({ method: "GET", path: fish })).rejects.toThrow("forbidden");
    expect(world.backend.asked.slice(before).filter(({ path: asked }) => asked.startsWith(fish))).toEqual([]);
  });
});
