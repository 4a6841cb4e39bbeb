import { text } from "node:stream/consumers";
import { append } from "@coxswain/apimachinery/append";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NodeAgent } from "../node/node-agent.js";
import { container, startTestNodes, type TestNodes } from "../test-nodes.test.support.js";
import { createCpuRate } from "./cpu-rate.js";
import { createKubeletServer, type KubeletServer } from "./kubelet-server.js";
import type { KubeletSource } from "./kubelet-source.js";
import { metricText } from "./metric-text.js";
import { usageOf } from "./pod-usage.js";

let cluster: TestNodes;
let server: KubeletServer;
let url: string;
beforeAll(async () => {
  cluster = await startTestNodes();
  await cluster.createPod("web", {
    containers: [
      container({
        resources: { requests: { cpu: "200m", memory: "64Mi" } },
        readinessProbe: { httpGet: { port: 80 }, periodSeconds: 10 },
      }),
    ],
  });
  await cluster.settle();
  await cluster.advance(10_000);
  const agent = cluster.nodes.agent("node-0") as NodeAgent;
  const source: KubeletSource = { nodeAt: () => agent, onlyNode: () => agent, findPod: () => undefined };
  server = createKubeletServer(source, {
    runtime: cluster.runtime,
    pages: { config: () => ({ maxPods: 110 }), processMetrics: () => "own 1\n", debugging: true },
    access: { check: () => Promise.reject(new Error("the read-only port asks nobody")) },
  });
  url = `http://127.0.0.1:${await server.listenReadOnly({ port: 0, host: "127.0.0.1" })}`;
});
afterAll(async () => {
  await server.stop();
  await cluster.stop();
});

const get = async (path: string): Promise<string> => (await fetch(url + path)).text();
const page = (path: string): Promise<string> =>
  cluster.client.rest.send({
    method: "GET",
    path: `/api/v1/nodes/node-0/proxy${path}`,
  }) as Promise<string>;

describe("pages of a node", () => {
  it("/stats/summary has what upstream's has", async () => {
    const { node, pods } = JSON.parse(await get("/stats/summary")) as { node: object; pods: object[] };
    expect(node).toMatchObject({
      nodeName: "node-0",
      cpu: { usageNanoCores: 100_000_000 },
      memory: { availableBytes: expect.any(Number), workingSetBytes: expect.any(Number) },
      fs: { capacityBytes: expect.any(Number), inodesFree: expect.any(Number) },
      runtime: { imageFs: { usedBytes: expect.any(Number) } },
      rlimit: { maxpid: expect.any(Number) },
    });
    expect(pods).toEqual([
      expect.objectContaining({
        podRef: { name: "web", namespace: "default", uid: expect.any(String) },
        startTime: "2026-01-01T00:00:00Z",
        containers: [
          expect.objectContaining({
            name: "main",
            startTime: "2026-01-01T00:00:00Z",
            rootfs: expect.objectContaining({ usedBytes: expect.any(Number) }),
            memory: expect.objectContaining({ workingSetBytes: 64 * 1024 * 1024 }),
          }),
        ],
        "ephemeral-storage": expect.objectContaining({ usedBytes: expect.any(Number) }),
      }),
    ]);
  });

  const lines = [
    {
      path: "/metrics/resource",
      line: /^container_memory_working_set_bytes\{container="main",namespace="default",pod="web"\} 67108864 \d+$/m,
    },
    { path: "/metrics/resource", line: /^resource_scrape_error 0$/m },
    {
      path: "/metrics/cadvisor",
      line: /^container_memory_usage_bytes\{container="main",image="app:1",name="[0-9a-f]{64}",namespace="default",pod="web"\} 67108864 \d+$/m,
    },
    { path: "/metrics/cadvisor", line: /^machine_cpu_cores 32$/m },
    {
      path: "/metrics/probes",
      line: /^prober_probe_total\{container="main",namespace="default",pod="web",pod_uid="[^"]+",probe_type="Readiness",result="successful"\} 1$/m,
    },
    {
      path: "/metrics/probes",
      line: /^prober_probe_duration_seconds_bucket\{container="main",le="\+Inf",namespace="default",pod="web",probe_type="Readiness"\} 1$/m,
    },
    { path: "/metrics", line: /^kubelet_running_pods 1$/m },
    { path: "/metrics", line: /^kubelet_running_containers\{container_state="running"\} 1$/m },
    { path: "/metrics", line: /^kubelet_node_name\{node="node-0"\} 1$/m },
    { path: "/metrics", line: /^own 1$/m },
  ];
  for (const { path, line } of lines)
    it(`${path} has ${line.source}`, async () => expect(await get(path)).toMatch(line));

  it("/pods has the pods and their statuses", async () => {
    expect(JSON.parse(await get("/pods"))).toMatchObject({
      kind: "PodList",
      items: [{ metadata: { name: "web" }, status: { phase: "Running" } }],
    });
  });

  it("the read-only port has neither commands nor configuration", async () => {
    const found: number[] = [];
    for (const path of [
      "/configz",
      "/runningpods",
      "/exec/default/web/main",
      "/containerLogs/default/web/main",
      "/logs/",
    ])
      append(found, [(await fetch(url + path)).status]);
    expect(found).toEqual([404, 404, 404, 404, 404]);
    expect((await fetch(`${url}/pods`, { method: "POST" })).status).toBe(404);
  });

  it("through the API server: configuration, what the runtime has, and no files of the node", async () => {
    expect(await page("/configz")).toEqual({ kubeletconfig: {} });
    expect(await page("/runningpods")).toMatchObject({
      items: [{ metadata: { name: "web" }, spec: { containers: [{ name: "main", image: "app:1" }] } }],
    });
    await expect(page("/logs/syslog")).rejects.toThrow("does not allow this method");
  });
});

it("without debugging handlers neither logs nor commands are served", async () => {
  const agent = cluster.nodes.agent("node-0") as NodeAgent;
  const source: KubeletSource = { nodeAt: () => agent, onlyNode: () => agent, findPod: () => undefined };
  const closed = createKubeletServer(source, {
    runtime: cluster.runtime,
    pages: { config: () => ({}), processMetrics: () => "", debugging: false },
    access: { check: async () => {} },
  });
  const ask = (head: string): Promise<string> => {
    const connection = closed.connect(agent, undefined);
    connection.write(`${head} HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n`);
    return text(connection);
  };
  for (const path of ["/containerLogs/default/web/main", "/exec/default/web/main", "/runningpods", "/logs/"])
    expect(await ask(`GET ${path}`)).toMatch(/^HTTP\/1.1 405 .*Debug endpoints are disabled/s);
  expect(await ask("GET /healthz")).toMatch(/^HTTP\/1.1 200 /);
  await closed.stop();
});

it("a container that has exited uses nothing", async () => {
  const stats = (name: string) => ({
    name,
    cpuNanoCores: 0,
    cpuNanoCoreSeconds: 0,
    memoryBytes: 1,
    storageBytes: 0,
    inodes: 0,
    processes: 0,
    startedAt: 0,
  });
  const worker = {
    uid: "u1",
    pod: () => ({ metadata: { name: "web", namespace: "default", uid: "u1" } }),
    wanted: () => ({
      containerStatuses: [{ name: "main", state: { running: { startedAt: "2026-01-01T00:00:01Z" } } }],
      ephemeralContainerStatuses: [{ name: "debugger", state: { terminated: { exitCode: 0 } } }],
    }),
  };
  const listStats = async () =>
    new Map([["u1", { at: 5, containers: [stats("main"), stats("debugger")], volumes: [] }]]);
  const agent = { workers: new Map([["u1", worker]]), context: { containers: { listStats } } };
  const [usage] = await usageOf(agent as unknown as NodeAgent);
  expect(usage?.containers.map(({ name, startedAt }) => [name, startedAt])).toEqual([
    ["main", Date.UTC(2026, 0, 1, 0, 0, 1)],
  ]);
});

it("labels are escaped", () => {
  const samples = [{ labels: { b: 'x"\\\n', a: "1" }, value: 2 }];
  expect(metricText([{ name: "m", help: "Help.", type: "gauge", stability: "ALPHA", samples }])).toBe(
    '# HELP m [ALPHA] Help.\n# TYPE m gauge\nm{a="1",b="x\\"\\\\\\n"} 2\n',
  );
});

it("processor use is the difference of two looks", () => {
  const rate = createCpuRate();
  const owner = {};
  expect([rate.of(owner, 1e9, 1000), rate.of(owner, 3e9, 2000), rate.of(owner, 3e9, 2000)]).toEqual([0, 2e9, 2e9]);
});
