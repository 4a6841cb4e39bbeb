import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type ClusterCertificates, ensureCertificates, ensureLeaf } from "@coxswain/component/certificates";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestNodes, type TestNodes } from "../test-nodes.test.support.js";

/** Two nodes behind one HTTPS port, and service accounts with a right each. */
let cluster: TestNodes;
let port: number;
let certificates: ClusterCertificates;
const tokens = new Map<string, string>();
const directory = mkdtempSync(join(tmpdir(), "coxswain-kubelet-access-"));

/** The rules of kube-prometheus and of metrics-server, and others. */
const accounts = [
  { name: "prometheus", resources: ["nodes/metrics"], verbs: ["get"] },
  { name: "stats", resources: ["nodes/stats"], verbs: ["get"] },
  { name: "pods", resources: ["nodes/pods"], verbs: ["get"] },
  { name: "reader", resources: ["nodes/proxy"], verbs: ["get"] },
  { name: "runner", resources: ["nodes/proxy"], verbs: ["create"], resourceNames: ["node-0"] },
  { name: "nobody", resources: ["nodes"], verbs: ["get"] },
];

beforeAll(async () => {
  const made = { clock: systemClock, random: systemRandom };
  certificates = ensureCertificates(directory, made);
  cluster = await startTestNodes({ nodes: 2 });
  const { client } = cluster;
  for (const { name, ...rule } of accounts) {
    await client.core.v1.serviceaccounts("default").create({ metadata: { name } });
    await client.rbac.v1.clusterroles().create({ metadata: { name }, rules: [{ apiGroups: [""], ...rule }] });
    await client.rbac.v1.clusterrolebindings().create({
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
      subjects: [{ kind: "ServiceAccount", namespace: "default", name }],
    });
    const answer = (await client.rest.send({
      method: "POST",
      path: `/api/v1/namespaces/default/serviceaccounts/${name}/token`,
      body: { as: "value", value: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} } },
    })) as { status: { token: string } };
    tokens.set(name, answer.status.token);
  }
  await cluster.createPod("web");
  await cluster.createPod("other", { nodeName: "node-1" });
  await cluster.settle();
  port = await cluster.nodes.server.listen({
    port: 0,
    host: "127.0.0.1",
    certificate: certificates.server.certificate,
    key: certificates.server.key,
    clientAuthority: certificates.ca.certificate,
  });
});
afterAll(async () => {
  await cluster.stop();
  rmSync(directory, { recursive: true });
});

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly token?: string;
  readonly identity?: { readonly certificate: string; readonly key: string };
}

function ask({ path, method = "GET", token, identity }: Asked): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({
      host: "127.0.0.1",
      port,
      path,
      method,
      rejectUnauthorized: false,
      agent: false,
      headers: { host: "node-0", ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(identity && { cert: identity.certificate, key: identity.key }),
    });
    asked.on("response", (response) => void text(response).then((body) => resolve(`${response.statusCode} ${body}`)));
    asked.on("error", reject);
    asked.end();
  });
}

describe("a token is who the API server takes it for, and may ask for what the API server allows", () => {
  const account = (name: string): string => `system:serviceaccount:default:${name}`;
  const refused = (name: string, verb: string, subresources: string): string =>
    `403 Forbidden (user=${account(name)}, verb=${verb}, resource=nodes, subresource(s)=[${subresources}])\n`;
  const run = "/run/default/web/main?cmd=hostname";
  const cases = [
    { name: "prometheus", path: "/metrics", answer: /^200 / },
    { name: "prometheus", path: "/metrics/resource", answer: /^200 / },
    { name: "prometheus", path: "/stats/summary", answer: refused("prometheus", "get", "stats") },
    { name: "prometheus", path: "/pods", answer: refused("prometheus", "get", "pods proxy") },
    { name: "prometheus", path: run, method: "POST", answer: refused("prometheus", "create", "proxy") },
    { name: "stats", path: "/stats/summary", answer: /^200 / },
    { name: "pods", path: "/pods", answer: /^200 / },
    { name: "pods", path: "/containerLogs/default/web/main", answer: refused("pods", "get", "proxy") },
    { name: "reader", path: "/pods", answer: /^200 / },
    { name: "reader", path: "/healthz", answer: "200 ok" },
    { name: "reader", path: "/metrics", answer: refused("reader", "get", "metrics") },
    { name: "reader", path: run, method: "POST", answer: refused("reader", "create", "proxy") },
    { name: "runner", path: run, method: "POST", answer: "200 web\n" },
    {
      name: "runner",
      path: "/run/default/other/main?cmd=hostname",
      method: "POST",
      answer: refused("runner", "create", "proxy"),
    },
    { name: "nobody", path: "/healthz", answer: refused("nobody", "get", "healthz proxy") },
  ];
  for (const { name, path, answer, method = "GET" } of cases)
    it(`${name}: ${method} ${path} is answered with ${answer instanceof RegExp ? 200 : answer.slice(0, 3)}`, async () => {
      const token = tokens.get(name) ?? "";
      const answered = await ask({ path, method, token });
      if (answer instanceof RegExp) expect(answered).toMatch(answer);
      else expect(answered).toBe(answer);
    });
});

describe("who is not known is not authenticated", () => {
  const otherAuthority = mkdtempSync(join(tmpdir(), "coxswain-other-authority-"));
  afterAll(() => rmSync(otherAuthority, { recursive: true }));

  it("without credentials, for health too", async () => {
    expect(await ask({ path: "/healthz" })).toBe("401 Unauthorized");
    expect(await ask({ path: "/pods" })).toBe("401 Unauthorized");
  });
  it("with a token that nobody issued", async () => {
    expect(await ask({ path: "/metrics", token: "made-up" })).toBe("401 Unauthorized");
  });
  it("with a certificate of another authority", async () => {
    const others = ensureCertificates(otherAuthority, { clock: systemClock, random: systemRandom });
    expect(await ask({ path: "/metrics", identity: others.kubeletClient })).toBe("401 Unauthorized");
  });
});

describe("a certificate of the cluster's authority", () => {
  it("of the API server may ask for everything", async () => {
    expect(await ask({ path: "/pods", identity: certificates.kubeletClient })).toMatch(/^200 /);
  });
  it("of somebody else may ask for what the API server allows them", async () => {
    const somebody = ensureLeaf(directory, "somebody", certificates.ca, {
      commonName: "somebody",
      clock: systemClock,
      random: systemRandom,
    });
    expect(await ask({ path: "/metrics", identity: somebody })).toBe(
      "403 Forbidden (user=somebody, verb=get, resource=nodes, subresource(s)=[metrics])\n",
    );
  });
});
