import { parseDurationMs } from "@coxswain/apimachinery/time";
import { systemRuntime } from "@coxswain/runtime";
import { type Clock, systemClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterEach, describe, expect, it } from "vitest";
import type { UserInfo } from "../request/user-info.js";
import { type ApiServer, startApiServer } from "../server/compose/api-server.js";
import type { ApiServerOptions } from "../server/compose/api-server-options.js";
import { createByteRequester } from "../server/in-process/byte-requester.js";
import { createInProcessClient } from "../server/in-process/in-process-client.js";
import type { AuditEvent } from "./audit-event.js";
import type { AuditOptions, Delivery } from "./create-audit.js";
import type { Policy } from "./policy.js";

type Line = Omit<AuditEvent, "requestObject" | "responseObject"> & {
  requestObject?: unknown;
  responseObject?: unknown;
};

const blocking: Delivery = { mode: "blocking", batch: { bufferSize: 10, maxBatchSize: 1, maxWaitMs: 0 } };
const everything: Policy = { rules: [{ level: "RequestResponse" }] };
const admin: UserInfo = { name: "admin", groups: ["system:masters"] };
const namespace = { kind: "Namespace", apiVersion: "v1", metadata: { name: "a" } };

/** On a busy machine any request may take so long that its latencies are recorded. */
const standing: Clock = { ...systemClock, monotonic: () => 0 };

let server: ApiServer;
afterEach(() => server.stop());

async function start(audit: Partial<AuditOptions>, more: Partial<ApiServerOptions> = {}): Promise<Line[]> {
  const lines: Line[] = [];
  const out = {
    write: (text: string) =>
      void lines.push(
        ...text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as Line),
      ),
    close: () => {},
  };
  server = await startApiServer({
    runtime: systemRuntime({ ioClock: standing }),
    store: createMemoryStore({ runtime: systemRuntime() }),
    audit: { policy: everything, log: { out, format: "json", delivery: blocking }, ...audit },
    ...more,
  });
  return lines;
}

async function ask(
  method: string,
  path: string,
  {
    body,
    headers = {},
    user = admin,
    isStranger = false,
    signal = new AbortController().signal,
  }: {
    body?: unknown;
    headers?: Record<string, string>;
    user?: UserInfo;
    isStranger?: boolean;
    signal?: AbortSignal;
  } = {},
): Promise<{ status: number; text: string }> {
  const sent = {
    accept: "application/json",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  };
  const answer = await createByteRequester(
    server,
    isStranger ? undefined : user,
  )({
    method,
    path,
    headers: sent,
    ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
    signal,
  });
  let text = "";
  for await (const chunk of answer.body) text += Buffer.from(chunk).toString();
  return { status: answer.status, text };
}

const stagesOf = (lines: readonly Line[]): string[] =>
  lines.map(({ stage, verb, responseStatus }) => `${stage} ${verb} ${responseStatus?.code ?? ""}`.trimEnd());

describe("an audited server", () => {
  it("records a request when it arrives and when it is over", async () => {
    const lines = await start({});
    await ask("POST", "/api/v1/namespaces", {
      body: { metadata: namespace.metadata },
      headers: { "audit-id": "one", "user-agent": "test" },
    });
    expect(stagesOf(lines)).toEqual(["RequestReceived create", "ResponseComplete create 201"]);
    const [received, complete] = lines;
    expect(received).toEqual({
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level: "RequestResponse",
      auditID: "one",
      stage: "RequestReceived",
      requestURI: "/api/v1/namespaces",
      verb: "create",
      user: { username: "admin", groups: ["system:masters", "system:authenticated"] },
      userAgent: "test",
      objectRef: { resource: "namespaces", apiVersion: "v1" },
      requestReceivedTimestamp: received?.requestReceivedTimestamp,
      stageTimestamp: received?.requestReceivedTimestamp,
    });
    expect(complete?.objectRef).toEqual({ resource: "namespaces", name: "a", apiVersion: "v1" });
    expect(complete?.requestObject).toMatchObject(namespace);
    expect(Object.keys(complete?.requestObject as object).slice(0, 2)).toEqual(["kind", "apiVersion"]);
    expect(complete?.responseObject).toMatchObject({ ...namespace, status: { phase: "Active" } });
    expect(complete?.annotations).toEqual({
      "authorization.k8s.io/decision": "allow",
      "authorization.k8s.io/reason": "",
    });
  });

  it("calls a request by the name that its client gave it", async () => {
    const lines = await start({});
    const name = `my request ${"x".repeat(100)}`;
    await ask("GET", "/api/v1/namespaces/default", { headers: { "audit-id": name } });
    expect(lines.map(({ auditID }) => auditID)).toEqual([name, name]);
  });

  it("records a watch when it begins and when its client is gone", async () => {
    const lines = await start({ policy: { rules: [{ level: "Metadata" }] } });
    const leaving = new AbortController();
    const answer = await createByteRequester(
      server,
      admin,
    )({ method: "GET", path: "/api/v1/pods?watch=1", headers: {}, signal: leaving.signal });
    expect(stagesOf(lines)).toEqual(["RequestReceived watch", "ResponseStarted watch 200"]);
    leaving.abort();
    for await (const _ of answer.body); // to its end
    expect(stagesOf(lines)).toEqual([
      "RequestReceived watch",
      "ResponseStarted watch 200",
      "ResponseComplete watch 200",
    ]);
  });

  it("records tables and lists as JSON whatever form the client wants", async () => {
    const lines = await start({
      policy: {
        rules: [{ level: "RequestResponse", resources: [{ resources: ["namespaces"] }] }],
        omitStages: ["RequestReceived"],
      },
    });
    await ask("GET", "/api/v1/namespaces/default", {
      headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    });
    await ask("GET", "/api/v1/namespaces?limit=1", { headers: { accept: "application/vnd.kubernetes.protobuf" } });
    await ask("GET", "/api/v1/namespaces/default", {
      headers: { accept: "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" },
    });
    await ask("GET", "/api/v1/namespaces/default", { headers: { accept: "application/yaml" } });
    await ask("GET", "/api/v1/services");
    expect(lines.map(({ responseObject }) => (responseObject as { kind: string }).kind)).toEqual([
      "Table",
      "NamespaceList",
      "PartialObjectMetadata",
      "Namespace",
    ]);
  });

  it("records of a client that is not authenticated only that it was refused", async () => {
    const lines = await start({});
    const { status } = await ask("GET", "/api/v1/pods", {
      isStranger: true,
      headers: { authorization: "Bearer nonsense" },
    });
    expect(status).toBe(401);
    expect(stagesOf(lines)).toEqual(["ResponseStarted list 401"]);
    expect(lines[0]?.user).toEqual({});
  });

  it("records the impersonated user of a request, and why it was refused", async () => {
    const lines = await start({ policy: { rules: [{ level: "Metadata" }], omitStages: ["RequestReceived"] } });
    await ask("GET", "/api/v1/secrets", { headers: { "impersonate-user": "jane" } });
    expect(lines[0]).toMatchObject({
      user: { username: "admin" },
      impersonatedUser: { username: "jane", groups: ["system:authenticated"] },
      authenticationMetadata: { impersonationConstraint: "impersonate:user-info" },
      responseStatus: { code: 403, reason: "Forbidden" },
      annotations: { "authorization.k8s.io/decision": "forbid" },
    });
  });

  it("records requests of the same process and the end of their watches", async () => {
    const lines = await start({ policy: { rules: [{ level: "Metadata" }] } });
    const transport = createInProcessClient(server, { user: admin });
    await transport.request({ method: "GET", path: "/api/v1/namespaces" });
    const leaving = new AbortController();
    for await (const _ of transport.watch({
      method: "GET",
      path: "/api/v1/namespaces?watch=1&resourceVersion=0",
      signal: leaving.signal,
    }))
      leaving.abort();
    expect(stagesOf(lines)).toEqual([
      "RequestReceived list",
      "ResponseComplete list 200",
      "RequestReceived watch",
      "ResponseStarted watch 200",
      "ResponseComplete watch 200",
    ]);
  });

  it("takes a server that breaks for one that panicked", async () => {
    const lines = await start(
      { policy: { rules: [{ level: "Metadata" }], omitStages: ["RequestReceived"] } },
      {
        observability: {
          flags: () => {
            throw new Error("oh");
          },
        },
        api: { featureGates: new Map([["ComponentFlagz", "true"]]) },
      },
    );
    expect((await ask("GET", "/flagz", { headers: { accept: "text/plain" } })).status).toBe(500);
    expect(lines.map(({ stage, responseStatus }) => ({ stage, responseStatus }))).toEqual([
      {
        stage: "Panic",
        responseStatus: {
          metadata: {},
          status: "Failure",
          message: "APIServer panic'd: oh",
          reason: "InternalError",
          code: 500,
        },
      },
    ]);
  });

  it("refuses what it must record and cannot", async () => {
    const out = {
      write: () => {
        throw new Error("disk full");
      },
      close: () => {},
    };
    await start({ log: { out, format: "json", delivery: { ...blocking, mode: "blocking-strict" } } });
    expect(await ask("POST", "/api/v1/namespaces?x=1", { body: namespace })).toEqual({
      status: 500,
      text: 'Internal Server Error: "/api/v1/namespaces?x=1": failed to store audit event\n',
    });
    const page = server.metrics.text();
    for (const line of [
      "apiserver_audit_requests_rejected_total 1",
      'apiserver_audit_error_total{plugin="log"} 1',
      'apiserver_audit_level_total{level="RequestResponse"} 1',
      "apiserver_audit_event_total 1",
    ])
      expect(page).toContain(line);
  });

  it("records of a slow request how long objects were read, converted, and written", async () => {
    let ticks = 0;
    const clock: Clock = Object.assign(Object.create(systemClock) as Clock, {
      now: () => systemClock.now() + (ticks += 100),
      monotonic: () => (ticks += 100),
    });
    const lines = await start({}, { runtime: systemRuntime({ clock, ioClock: clock }) });
    const scaler = {
      kind: "HorizontalPodAutoscaler",
      apiVersion: "autoscaling/v1",
      metadata: { name: "a" },
      spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" } },
    };
    const path = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
    const layers = (): string[] =>
      Object.keys(lines.at(-1)?.annotations ?? {})
        .filter((key) => key.endsWith("-response-object"))
        .sort();
    await ask("POST", path, { body: scaler });
    expect(layers()).toEqual([
      "apiserver.latency.k8s.io/serialize-response-object",
      "apiserver.latency.k8s.io/transform-response-object",
    ]);
    await ask("PUT", `${path}/a`, { body: { ...scaler, spec: { ...scaler.spec, maxReplicas: 3 } } });
    expect(layers()).toEqual([
      "apiserver.latency.k8s.io/decode-response-object",
      "apiserver.latency.k8s.io/serialize-response-object",
      "apiserver.latency.k8s.io/transform-response-object",
    ]);
  });

  it("records of a slow request where the time went, and of no watch", async () => {
    let passed = 0;
    const clock: Clock = Object.assign(Object.create(systemClock) as Clock, {
      now: () => systemClock.now() + passed,
      monotonic: () => systemClock.monotonic() + passed,
    });
    const store = createMemoryStore({ runtime: systemRuntime() });
    const put = store.put.bind(store);
    const lines = await start({}, { runtime: systemRuntime({ clock, ioClock: standing }), store });
    store.put = (...args) => {
      passed += 700;
      return put(...args);
    };
    await ask("POST", "/api/v1/namespaces", { body: namespace });
    const { annotations = {} } = lines.at(-1) ?? {};
    expect(Object.keys(annotations).filter((key) => key.includes("latency"))).toEqual(
      expect.arrayContaining(["apiserver.latency.k8s.io/etcd", "apiserver.latency.k8s.io/total"]),
    );
    expect(parseDurationMs(annotations["apiserver.latency.k8s.io/etcd"] ?? "")).toBeGreaterThanOrEqual(700);
    const watching = ask("GET", "/api/v1/namespaces?watch=true&timeoutSeconds=1");
    passed += 700;
    await watching;
    expect(Object.keys(lines.at(-1)?.annotations ?? {}).filter((key) => key.includes("latency"))).toEqual([]);
  });
});
