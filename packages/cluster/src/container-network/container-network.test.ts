import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createActivity } from "@coxswain/runtime/activity";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore, type MemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clusterFeatureGates } from "../cluster-feature-gates.js";
import { type Cluster, startCluster } from "../start-cluster.js";
import { isClusterName } from "./cluster-name.js";

let store: MemoryStore;
let cluster: Cluster;
let settle: () => Promise<void>;

const rule = "simulation.coxswain.dev/";

beforeAll(async () => {
  const activity = createActivity();
  const clock = createVirtualClock({ activity });
  store = createMemoryStore({ runtime: systemRuntime({ clock }) });
  cluster = await startCluster({
    runtime: testRuntime(1, { clock }),
    featureGates: clusterFeatureGates(),
    // Seats are held for some milliseconds after a write; in time that stands still that would be for ever.
    apiServer: { store, limits: { priorityAndFairness: false } },
    nodes: 1,
  });
  settle = () => clock.advance(5000);
  const { core } = cluster.client;
  await core.v1.namespaces().create({ metadata: { name: "shop" } });
  await settle();
  await core.v1.pods("shop").create({
    metadata: { name: "web", labels: { app: "web" } },
    spec: { containers: [{ name: "main", image: "nginx", ports: [{ containerPort: 8080 }] }] },
  });
  await core.v1.pods("shop").create({
    metadata: {
      name: "api",
      labels: { app: "api" },
      annotations: { [`${rule}answer`]: "no such page", [`${rule}answer-status`]: "404", [`${rule}ports`]: "8080" },
    },
    spec: { containers: [{ name: "main", image: "api" }] },
  });
  for (const [name, selector, targetPort] of [
    ["web", "web", 8080],
    ["api", "api", 8080],
    ["closed", "api", 81],
    ["empty", "nothing", 8080],
  ] as const)
    await core.v1.services("shop").create({
      metadata: { name },
      spec: { selector: { app: selector }, ports: [{ port: 80, targetPort }] },
    });
  await settle();
});
afterAll(async () => {
  await cluster.stop();
  await store.close();
});

/** What a container of this command prints, and how it ends. */
async function run(
  name: string,
  script: string,
  namespace = "shop",
): Promise<{ log: string; code: number | undefined }> {
  const pods = cluster.client.core.v1.pods(namespace);
  const command = ["sh", "-c", `(${script}) 2>&1`];
  await pods.create({
    metadata: { name },
    spec: { restartPolicy: "Never", containers: [{ name: "main", image: "x", command }] },
  });
  await settle();
  const { status } = await pods.get(name);
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/log`;
  const log = Buffer.from(await (await cluster.client.rest.open({ method: "GET", path })).bytes()).toString();
  return { log, code: status?.containerStatuses?.[0]?.state?.terminated?.exitCode };
}

const page = '{"pod":"web","port":8080,"method":"GET","path":"/"}\n';
const scripts: { name: string; script: string; log: string | RegExp; code?: number; namespace?: string }[] = [
  { name: "wget reaches a service by its name", script: "wget -qO- http://web", log: page },
  { name: "curl reaches it from another namespace", script: "curl -s web.shop", log: page, namespace: "default" },
  { name: "a container reaches itself", script: "curl -s localhost:8080", log: /"port":8080/ },
  {
    name: "curl sends what it is asked to, and prints what came of it",
    script: "curl -s -o /tmp/out -w '%{http_code} ' -d x=1 web/y; cat /tmp/out",
    log: '200 {"pod":"web","port":8080,"method":"POST","path":"/y"}\n',
  },
  {
    name: "nslookup finds a service by the search list",
    script: "nslookup web | tail -n 3",
    log: /^Name:\tweb\.shop\.svc\.cluster\.local\nAddress: 10\.\S+\n/,
  },
  {
    name: "nslookup does not find what is not there",
    script: "nslookup nothing",
    log: /can't find nothing: NXDOMAIN/,
    code: 1,
  },
  {
    name: "a service without endpoints refuses",
    script: "curl -sS empty",
    log: /^curl: \(7\) Failed to connect to empty port 80/,
    code: 7,
  },
  {
    name: "a port at which a pod does not listen is refused, and the process goes on",
    script: "curl -sS closed; wget -qO- closed; nc -z closed 80 || echo none",
    log: /^curl: \(7\) Failed to connect to closed port 80.*\nwget: can't connect to remote host.*\nnone\n$/,
  },
  { name: "a port that a service does not have is refused", script: "nc -z web 99", log: "", code: 1 },
  {
    name: "a rule gives the answer and its status",
    script: "wget -qO- api",
    log: "wget: server returned error: HTTP/1.1 404 Not Found\n",
    code: 1,
  },
  {
    name: "curl -f makes an error of a status",
    script: "curl -fsS api",
    log: "curl: (22) The requested URL returned error: 404\n",
    code: 22,
  },
];

describe("programs in simulated containers", () => {
  for (const [at, { name, script, log, code = 0, namespace }] of scripts.entries())
    it(name, async () => {
      const ended = await run(`client-${at}`, script, namespace);
      expect(ended.code).toBe(code);
      if (typeof log === "string") expect(ended.log).toBe(log);
      else expect(ended.log).toMatch(log);
    });

  it("an init container waits for a service that comes later", async () => {
    const { core } = cluster.client;
    await core.v1.pods("shop").create({
      metadata: { name: "waits" },
      spec: {
        initContainers: [
          { name: "db", image: "busybox", command: ["sh", "-c", "until nslookup mydb; do sleep 2; done"] },
        ],
        containers: [{ name: "main", image: "x" }],
      },
    });
    await settle();
    const phase = async (): Promise<string | undefined> => (await core.v1.pods("shop").get("waits")).status?.phase;
    expect(await phase()).toBe("Pending");
    await core.v1.services("shop").create({ metadata: { name: "mydb" }, spec: { ports: [{ port: 80 }] } });
    await settle();
    expect(await phase()).toBe("Running");
  });
});

const names = [
  { name: "mydb", is: true },
  { name: "mydb.shop", is: true },
  { name: "mydb.shop.svc", is: true },
  { name: "mydb.shop.svc.cluster.local.", is: true },
  { name: "example.com", is: false },
  { name: "registry.example.com", is: false },
];
for (const { name, is } of names)
  it(`${name} is ${is ? "a name of the cluster" : "somebody else's"}`, () =>
    expect(isClusterName(name, "cluster.local", { hasNamespace: (one) => one === "shop" })).toBe(is));
