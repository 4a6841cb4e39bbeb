import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../compose/api-server.js";
import { createByteRequester } from "../in-process/byte-requester.js";

const decoder = new TextDecoder();
const admin = { name: "admin", groups: ["system:masters"] };

describe("the server's own pages", () => {
  let server: ApiServer;
  const verbosities: number[] = [];
  beforeAll(async () => {
    server = await startApiServer({
      runtime: systemRuntime(),
      store: createMemoryStore({ runtime: systemRuntime() }),
      observability: {
        flags: () =>
          new Map([
            ["secure-port", "6443"],
            ["authorization-mode", "[RBAC]"],
          ]),
        setVerbosity: (verbosity) => verbosities.push(verbosity),
        strictTransportDirectives: ["max-age=31536000", "includeSubDomains"],
        allowedOrigins: ["//example\\.com$"],
      },
    });
  });
  afterAll(() => server.stop());

  const ask = async (
    path: string,
    headers: Record<string, string> = {},
    method = "GET",
    body?: string,
    user: { name: string; groups: string[] } = admin,
  ) => {
    const {
      status,
      headers: responseHeaders,
      body: chunks,
    } = await createByteRequester(
      server,
      user,
    )({
      method,
      path,
      headers,
      signal: new AbortController().signal,
      ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
    });
    let text = "";
    for await (const chunk of chunks) text += decoder.decode(chunk);
    return { status, headers: responseHeaders, text };
  };
  /** The value of one series; undefined: it is not there. */
  const value = async (series: string): Promise<number | undefined> => {
    const line = (await ask("/metrics")).text.split("\n").find((one) => one.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  };
  const total = (verb: string, resource: string, scope: string, code: number, subresource = ""): string =>
    `apiserver_request_total{code="${code}",component="apiserver",dry_run="",group="",resource="${resource}",scope="${scope}",subresource="${subresource}",verb="${verb}",version="v1"}`;

  it("counts requests by what they ask for and how they were answered", async () => {
    await ask("/api/v1/namespaces/default");
    await ask("/api/v1/namespaces/nope");
    await ask("/api/v1/namespaces");
    await ask("/api/v1/namespaces/default/configmaps");
    await ask(
      "/api/v1/namespaces/default/configmaps",
      { "content-type": "application/json" },
      "POST",
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"counted"}}',
    );
    expect(await value(total("GET", "namespaces", "resource", 200))).toBe(1);
    expect(await value(total("GET", "namespaces", "resource", 404))).toBe(1);
    expect(await value(total("LIST", "namespaces", "cluster", 200))).toBe(1);
    expect(await value(total("LIST", "configmaps", "namespace", 200))).toBe(1);
    expect(await value(total("POST", "configmaps", "resource", 201))).toBe(1);
    expect(await value('apiserver_storage_objects{resource="namespaces"}')).toBe(4);
  });
  it("measures admission, plugin by plugin and as a whole, with what it refuses", async () => {
    const plugin = (rejected: boolean, name = "NamespaceLifecycle") =>
      value(
        `apiserver_admission_controller_admission_duration_seconds_count{name="${name}",operation="CREATE",rejected="${rejected}",type="admit"}`,
      );
    const step = (rejected: boolean) =>
      value(
        `apiserver_admission_step_admission_duration_seconds_count{operation="CREATE",rejected="${rejected}",type="admit"}`,
      );
    const before = [(await plugin(false)) ?? 0, (await step(false)) ?? 0];
    await ask(
      "/api/v1/namespaces/default/configmaps",
      { "content-type": "application/json" },
      "POST",
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"admitted"}}',
    );
    expect([await plugin(false), await step(false)]).toEqual(before.map((count) => count + 1));
    expect(await plugin(true)).toBeUndefined();
    await ask(
      "/api/v1/namespaces/nope/configmaps",
      { "content-type": "application/json" },
      "POST",
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"refused"}}',
    );
    expect([await plugin(true), await step(true), await plugin(false)]).toEqual([1, 1, before[0]! + 1]);
  });
  it("reports deprecated APIs in use, sizes of bodies, and the state of caches and store", async () => {
    const deprecated =
      'apiserver_requested_deprecated_apis{group="",removed_release="",resource="endpoints",subresource="",version="v1"}';
    expect(await value(deprecated)).toBeUndefined();
    await ask("/api/v1/namespaces/default/endpoints");
    expect(await value(deprecated)).toBe(1);
    const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    const sent = '{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"measured"}}';
    await ask(leases, { "content-type": "application/json" }, "POST", sent);
    await ask(leases);
    await ask(`${leases}/measured`, {}, "DELETE");
    const of = 'group="coordination.k8s.io",resource="leases"';
    expect(await value(`apiserver_request_body_size_bytes_sum{${of},verb="create"}`)).toBe(sent.length);
    expect(await value(`etcd_requests_total{group="coordination.k8s.io",operation="create",resource="leases"}`)).toBe(
      1,
    );
    expect(
      await value(
        `etcd_request_duration_seconds_count{group="coordination.k8s.io",operation="delete",resource="leases"}`,
      ),
    ).toBe(1);
    expect(await value(`apiserver_watch_cache_events_received_total{${of}}`)).toBe(2);
    expect(await value(`apiserver_cache_list_returned_objects_total{${of}}`)).toBe(1);
    expect(await value(`apiserver_watch_cache_consistent_read_total{fallback="false",${of},success="true"}`)).toBe(1);
    expect(await value(`apiserver_resource_size_estimate_bytes{${of}}`)).toBe(0);
    expect(await value('apiserver_resource_size_estimate_bytes{group="",resource="namespaces"}')).toBeGreaterThan(100);
    expect(await value('apiserver_storage_size_bytes{storage_cluster_id="etcd-0"}')).toBe(0);
  });
  it("counts watches while they last, and their events", async () => {
    const ending = new AbortController();
    const watch = await createByteRequester(
      server,
      admin,
    )({ method: "GET", path: "/api/v1/namespaces?watch=true", headers: {}, signal: ending.signal });
    const running =
      'apiserver_longrunning_requests{component="apiserver",group="",resource="namespaces",scope="cluster",subresource="",verb="WATCH",version="v1"}';
    const events = watch.body[Symbol.asyncIterator]();
    await events.next();
    expect(await value(running)).toBe(1);
    expect(await value('apiserver_watch_events_total{group="",resource="namespaces",version="v1"}')).toBe(4);
    expect(await value('apiserver_watch_events_sizes_count{group="",resource="namespaces",version="v1"}')).toBe(4);
    ending.abort();
    while (!(await events.next()).done);
    expect(await value(running)).toBe(0);
  });
  it("does not count what no handler took: clients make up no labels", async () => {
    await ask("/api/v1/made-up");
    await ask("/made/up");
    await ask("/api/v1/secrets", {}, "GET", undefined, { name: "nobody", groups: [] });
    const { text } = await ask("/metrics");
    expect(text).not.toContain("made");
    expect(text).not.toContain('resource="secrets",scope');
    expect(await value('authorization_attempts_total{result="no-opinion"}')).toBe(1);
    expect(await value('authenticated_user_requests{username="other"}')).toBe(1);
  });
  it("knows its version, its gates and its process", async () => {
    expect(await value('kubernetes_feature_enabled{name="ComponentStatusz",stage="BETA"}')).toBe(1);
    expect((await ask("/metrics")).text).toMatch(/\nkubernetes_build_info\{.*git_version="v1\.36\.4".*\} 1\n/);
    expect(await value("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  });
  it("serves the results of health checks on a page of their own", async () => {
    await ask("/readyz");
    const { text } = await ask("/metrics/slis");
    expect(text).toContain('kubernetes_healthcheck{name="etcd",type="readyz"} 1\n');
    expect(text).toContain(
      'kubernetes_healthchecks_total{name="poststarthook/rbac/bootstrap-roles",status="success",type="readyz"} 1\n',
    );
  });
  it("statusz: text for people", async () => {
    const { text, headers } = await ask("/statusz");
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(text).toMatch(
      /^\napiserver statusz\nWarning: .*\n\nStarted: {2}\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d UTC \d{4}\nUp: {2}\d+ hr \d\d min \d\d sec\nGo version: {2}node v\S+\nBinary version: {2}1\.36\.4\nEmulation version: {2}1\.36\nPaths: {2}\/flagz \/healthz \/livez \/metrics \/readyz \/statusz \/version\n$/,
    );
  });
  it("statusz and flagz: an object for programs that name its type", async () => {
    const status = await ask("/statusz", { accept: "application/json;v=v1beta1;g=config.k8s.io;as=Statusz" });
    expect(status.headers["content-type"]).toBe("application/json;g=config.k8s.io;v=v1beta1;as=Statusz");
    expect(JSON.parse(status.text)).toMatchObject({
      kind: "Statusz",
      apiVersion: "config.k8s.io/v1beta1",
      metadata: { name: "apiserver" },
      binaryVersion: "1.36.4",
    });
    const flags = await ask("/flagz", { accept: "application/yaml;v=v1alpha1;g=config.k8s.io;as=Flagz" });
    expect(flags.headers.warning).toBe(
      '299 - "This version of the flagz endpoint is deprecated. Please use a newer version."',
    );
    expect(flags.text).toContain("flags:\n  authorization-mode: '[RBAC]'\n  secure-port: \"6443\"\n");
    expect((await ask("/flagz", { accept: "application/json" })).status).toBe(406);
    expect((await ask("/flagz")).text).toContain("\nauthorization-mode:[RBAC]\nsecure-port:6443\n");
  });
  it("debug/flags/v sets the verbosity, by PUT and a number", async () => {
    expect(await ask("/debug/flags/v", {}, "PUT", "3")).toMatchObject({
      status: 200,
      text: "successfully set klog.logging.verbosity to 3\n",
    });
    expect(await ask("/debug/flags/v", {}, "PUT", "x")).toMatchObject({
      status: 400,
      text: 'strconv.ParseUint: parsing "x": invalid syntax\n',
    });
    expect(await ask("/debug/flags/v")).toMatchObject({ status: 406, text: "unsupported http method\n" });
    expect(verbosities).toEqual([3]);
  });
  it("makes a CPU profile", async () => {
    const { status, headers } = await ask("/debug/pprof/profile?seconds=0.01");
    expect([status, headers["content-type"]]).toEqual([200, "application/octet-stream"]);
    expect((await ask("/debug/pprof/heap")).status).toBe(404);
  });
  it("anonymous clients see none of it", async () => {
    for (const path of ["/metrics", "/metrics/slis", "/flagz", "/statusz", "/debug/pprof/", "/debug/flags/v"])
      expect((await ask(path, {}, "GET", undefined, { name: "nobody", groups: ["system:authenticated"] })).status).toBe(
        403,
      );
  });
  it("lists its pages at the root", async () => {
    const { paths } = JSON.parse((await ask("/")).text) as { paths: string[] };
    expect(paths).toEqual(expect.arrayContaining(["/flagz", "/metrics", "/metrics/slis", "/statusz"]));
    expect(paths).not.toContain("/logs");
  });
  it("sends Strict-Transport-Security to browsers", async () =>
    expect((await ask("/version")).headers["strict-transport-security"]).toBe("max-age=31536000; includeSubDomains"));
  it("answers a browser's question beforehand, for origins that are allowed", async () => {
    const { status, headers } = await ask("/api", { origin: "https://example.com" }, "OPTIONS");
    expect([status, headers["access-control-allow-origin"], headers["access-control-allow-credentials"]]).toEqual([
      204,
      "https://example.com",
      "true",
    ]);
    expect(
      (await ask("/version", { origin: "https://example.org" })).headers["access-control-allow-origin"],
    ).toBeUndefined();
  });
  it("a timeout that is none is a bad request; one that is over is 504", async () => {
    expect((await ask("/api/v1/namespaces?timeout=abc")).text).toContain(
      'invalid timeout specified in the request URL - time: invalid duration \\"abc\\"',
    );
    expect((await ask("/api/v1/namespaces?timeout=0s")).status).toBe(200);
  });
  it("at its end it is not ready, then sends new requests away, and is watched to the last", async () => {
    const own = await startApiServer({
      runtime: systemRuntime(),
      store: createMemoryStore({ runtime: systemRuntime() }),
    });
    const get = async (path: string) => {
      const { status, headers, body } = await createByteRequester(
        own,
        admin,
      )({ method: "GET", path, headers: {}, signal: new AbortController().signal });
      let text = "";
      for await (const chunk of body) text += decoder.decode(chunk);
      return { status, text, retryAfter: headers["retry-after"] };
    };
    own.beginShutdown();
    expect((await get("/readyz/shutdown")).text).toBe("internal server error: process is shutting down\n");
    expect((await get("/api/v1/namespaces")).status).toBe(200);
    own.refuseRequests();
    expect(await get("/api/v1/namespaces")).toEqual({
      status: 429,
      text: "The apiserver is shutting down, please try again later.\n",
      retryAfter: "5",
    });
    expect((await get("/livez")).status).toBe(200);
    await own.stop();
  });
});
