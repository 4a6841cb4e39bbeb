import net from "node:net";
import type { Status } from "@coxswain/apimachinery/status";
import { createInProcessTransport, type UserInfo } from "@coxswain/apiserver";
import type { Client } from "@coxswain/client";
import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createActivity } from "@coxswain/runtime/activity";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore, type MemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { clusterFeatureGates } from "./cluster-feature-gates.js";
import { type Cluster, startCluster } from "./start-cluster.js";
import { administrator } from "./users/component-users.js";

/** Two nodes, a pod of kube-system on each, and what alice, who may edit her own namespace, has made there. */
let store: MemoryStore;
let cluster: Cluster;
let settle: () => Promise<void>;
let admin: Client;
let alice: Client;
/** Of sockets that this process opened: `host:port`. */
const dialled: string[] = [];

const aliceUser: UserInfo = { name: "alice", groups: ["system:authenticated"] };
const nodes = ["node-0", "node-1"];
const container = { name: "main", image: "app:1" };

beforeAll(async () => {
  vi.spyOn(net.Socket.prototype, "connect").mockImplementation(function (this: net.Socket, ...args: unknown[]) {
    const [options] = args.flat() as [{ host?: string; port?: number }];
    dialled.push(`${options.host}:${options.port}`);
    return this.destroy(new Error("a test opens no sockets"));
  });
  const activity = createActivity();
  const clock = createVirtualClock({ activity });
  store = createMemoryStore({ runtime: systemRuntime({ clock }) });
  cluster = await startCluster({
    runtime: testRuntime(1, { clock }),
    featureGates: clusterFeatureGates(),
    // Seats are held for some milliseconds after a write; in time that stands still that would be for ever.
    apiServer: { store, limits: { priorityAndFairness: false } },
    nodes: 2,
  });
  settle = () => clock.advance(5000);
  admin = cluster.client;
  alice = cluster.clientFor(aliceUser);
  await admin.core.v1.namespaces().create({ metadata: { name: "team" } });
  await admin.rbac.v1.rolebindings("team").create({
    metadata: { name: "alice" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }],
  });
  await settle();
  for (const nodeName of nodes) {
    await admin.core.v1.pods("kube-system").create({
      metadata: { name: `secret-${nodeName}` },
      spec: { nodeName, containers: [{ ...container, command: ["sh", "-c", "echo of $HOSTNAME; sleep 1000000"] }] },
    });
    const labels = { on: nodeName };
    await alice.core.v1.pods("team").create({
      metadata: { name: `host-${nodeName}`, labels },
      spec: { nodeName, hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 10250 }] }] },
    });
    await alice.core.v1.services("team").create({
      metadata: { name: `host-${nodeName}` },
      spec: { selector: labels, ports: [{ port: 10250 }] },
    });
  }
  await alice.core.v1.pods("team").create({
    metadata: { name: "web", labels: { app: "web" } },
    spec: { containers: [container] },
  });
  await settle();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await cluster.stop();
  await store.close();
});

/** `<code>: <text>`, as the API server or the kubelet answered. */
async function ask(user: UserInfo, path: string, method: "GET" | "POST" = "GET"): Promise<string> {
  const [bare = "", query = ""] = path.split("?");
  const answer = await createInProcessTransport(cluster.server, { user }).send({
    method,
    path: bare,
    query: [...new URLSearchParams(query)],
  });
  const text = Buffer.from(await answer.bytes()).toString();
  return `${answer.status}: ${text.startsWith('{"kind":"Status"') ? (JSON.parse(text) as Status).message : text}`;
}

const team = "/api/v1/namespaces/team";
const kubeSystem = "/api/v1/namespaces/kube-system";

describe("a proxy call of somebody who may edit one namespace reaches no kubelet with the API server's credentials", () => {
  const paths = [
    { what: "runs a command in a pod of the node", method: "POST", path: "run/kube-system/secret-HERE/main?cmd=env" },
    {
      what: "runs a command in a pod of another node",
      method: "POST",
      path: "run/kube-system/secret-THERE/main?cmd=env",
    },
    { what: "reads a log", method: "GET", path: "containerLogs/kube-system/secret-HERE/main" },
    { what: "lists pods", method: "GET", path: "pods" },
    { what: "reads usage", method: "GET", path: "stats/summary" },
  ] as const;
  for (const [at, node] of nodes.entries())
    for (const target of [`pods/https:host-${node}:10250`, `services/https:host-${node}:10250`])
      for (const { what, method, path } of paths)
        it(`${target}: nobody ${what}`, async () => {
          const other = nodes[1 - at] ?? "";
          const asked = path.replace("HERE", node).replace("THERE", other);
          expect(await ask(aliceUser, `${team}/${target}/proxy/${asked}`, method)).toBe("401: Unauthorized");
        });

  it("the kubelet's port speaks TLS", async () => {
    expect(await ask(aliceUser, `${team}/pods/host-node-0:10250/proxy/pods`)).toBe(
      "400: Client sent an HTTP request to an HTTPS server.\n",
    );
  });

  it("an administrator who asks by a pod's proxy is no one else to the kubelet", async () => {
    expect(await ask(administrator, `${team}/pods/https:host-node-0:10250/proxy/pods`)).toBe("401: Unauthorized");
  });
});

describe("calls that carry the API server's kubelet credentials", () => {
  for (const node of nodes) {
    it(`${node}: nodes/proxy of an administrator lists its pods`, async () => {
      const { items } = JSON.parse(
        (await ask(administrator, `/api/v1/nodes/${node}/proxy/pods`)).slice("200: ".length),
      ) as {
        items: { metadata: { name: string } }[];
      };
      expect(items.map(({ metadata }) => metadata.name)).toEqual(
        expect.arrayContaining([`secret-${node}`, `host-${node}`]),
      );
    });
    it(`${node}: logs are read`, async () => {
      expect(await ask(administrator, `${kubeSystem}/pods/secret-${node}/log`)).toBe(`200: of secret-${node}\n`);
    });
  }

  it("nodes/proxy runs commands in pods of that node, and of no other", async () => {
    const run = (name: string): Promise<string> =>
      ask(administrator, `/api/v1/nodes/node-0/proxy/run/kube-system/${name}/main?cmd=hostname`, "POST");
    expect(await run("secret-node-0")).toBe("200: secret-node-0\n");
    expect(await run("secret-node-1")).toBe("404: pod does not exist");
  });

  it("nodes/proxy is not for those who may edit a namespace", async () => {
    expect(await ask(aliceUser, "/api/v1/nodes/node-0/proxy/pods")).toMatch(/^403: /);
  });
});

describe("no address of the simulated network is dialled by a socket", () => {
  it("a pod's port is answered", async () => {
    expect(await ask(aliceUser, `${team}/pods/web:8080/proxy/a`)).toContain('"pod":"web"');
  });

  it("a port of a node where nothing listens refuses the connection", async () => {
    expect(await ask(aliceUser, `${team}/pods/host-node-0:8080/proxy/`)).toBe(
      "503: error trying to reach service: dial tcp 172.18.0.2:8080: connect: connection refused",
    );
    expect(await ask(administrator, "/api/v1/nodes/node-1:8080/proxy/")).toBe(
      "503: error trying to reach service: dial tcp 172.18.0.3:8080: connect: connection refused",
    );
  });

  it("a node that is off has no route", async () => {
    await cluster.components.nodes.kill("node-1");
    expect(await ask(administrator, `${kubeSystem}/pods/secret-node-1/log`)).toMatch(
      /^500: Get "https:\/\/node-1:10250\/.*": dial tcp 172\.18\.0\.3:10250: connect: no route to host$/,
    );
    await cluster.components.nodes.recover("node-1");
  });

  const hooks = [
    { name: "a webhook of a Service", clientConfig: { service: { namespace: "team", name: "hook" } } },
    { name: "a webhook by the URL of a cluster IP", clientConfig: { url: "https://10.96.200.7/" } },
    { name: "a webhook by the URL of a node", clientConfig: { url: "https://172.18.0.250:8443/" } },
    { name: "a webhook by the URL of a pod's address", clientConfig: { url: "https://10.244.0.200:8443/" } },
  ];
  for (const { name, clientConfig } of hooks)
    it(`${name} is refused`, async () => {
      await admin.core.v1
        .services("team")
        .create({ metadata: { name: "hook" }, spec: { clusterIP: "10.96.200.7", ports: [{ port: 443 }] } })
        .catch(() => undefined);
      const configurations = admin.admissionregistration.v1.validatingwebhookconfigurations();
      await configurations.create({
        metadata: { name: "hook" },
        webhooks: [
          {
            name: "hook.example.com",
            clientConfig,
            rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
            timeoutSeconds: 1,
          },
        ],
      });
      const outcome = await alice.core.v1
        .configmaps("team")
        .create({ metadata: { name: "x" } })
        .then(
          () => "created",
          (error: Error) => error.message,
        );
      await configurations.delete("hook");
      expect(outcome).toMatch(/dial tcp \d[\d.]+:\d+: connect: connection refused$/);
    });

  it("an APIService of a Service is reported as one that refuses connections", async () => {
    await admin.apiregistration.v1.apiservices().create({
      metadata: { name: "v1.refused.example.com" },
      spec: {
        group: "refused.example.com",
        version: "v1",
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
        service: { namespace: "team", name: "web" },
      },
    });
    await alice.core.v1.services("team").create({
      metadata: { name: "web" },
      spec: { clusterIP: "10.96.200.8", selector: { app: "web" }, ports: [{ port: 443 }] },
    });
    await expect
      .poll(async () => {
        await settle();
        const { status } = await admin.apiregistration.v1.apiservices().get("v1.refused.example.com");
        return status?.conditions?.[0]?.message;
      })
      .toContain("dial tcp 10.96.200.8:443: connect: connection refused");
  });

  it("not one socket was opened", () => expect(dialled).toEqual([]));
});
