import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { type ConnectedClient, connect, loadKubeconfig } from "@coxswain/client/node";
import { waitFor } from "@coxswain/client/wait";
import { type CoxswainProcess, ownLauncher, removeDataDir, startCoxswain } from "@coxswain/tools/clients";
import { freePorts } from "@coxswain/tools/upstream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

describe("coxswain controller-manager", { timeout: 60_000 }, () => {
  let server: CoxswainProcess;
  let client: ConnectedClient;
  let port = 0;
  const managers: { readonly child: ChildProcess; readonly exited: Promise<void>; output: string }[] = [];
  const pki = (file: string): string => join(server.dataDir, "pki", file);

  function start(securePort: number): (typeof managers)[number] {
    const child = spawn(process.execPath, [
      ownLauncher,
      "controller-manager",
      `--kubeconfig=${server.kubeconfig}`,
      `--authentication-kubeconfig=${server.kubeconfig}`,
      `--authorization-kubeconfig=${server.kubeconfig}`,
      `--root-ca-file=${pki("ca.crt")}`,
      "--use-service-account-credentials",
      "--bind-address=127.0.0.1",
      `--secure-port=${securePort}`,
      "--leader-elect-lease-duration=3s",
      "--leader-elect-renew-deadline=2s",
      "--leader-elect-retry-period=200ms",
    ]);
    const manager = { child, exited: new Promise<void>((resolve) => child.once("exit", () => resolve())), output: "" };
    child.stderr.on("data", (chunk) => (manager.output += String(chunk)));
    managers.push(manager);
    return manager;
  }
  const get = (port: number, path: string, credentials = {}): Promise<{ status: number; body: string }> =>
    new Promise((resolve, reject) => {
      const asked = request({ host: "127.0.0.1", port, path, rejectUnauthorized: false, ...credentials }, (answer) => {
        let body = "";
        answer.on("data", (chunk) => (body += String(chunk)));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body }));
      });
      asked.on("error", reject);
      asked.end();
    });
  const holder = async (): Promise<string> =>
    (await client.coordination.v1.leases("kube-system").get("kube-controller-manager")).spec?.holderIdentity ?? "";

  beforeAll(async () => {
    server = await startCoxswain();
    client = connect(loadKubeconfig({ path: server.kubeconfig }));
    [port = 0] = await freePorts(1);
    start(port);
  });
  afterAll(async () => {
    for (const { child } of managers) child.kill();
    await Promise.all(managers.map(({ exited }) => exited));
    await client.close();
    await server.stop();
    removeDataDir(server);
  });

  it("brings a Deployment's pods about, each controller as its own service account", async () => {
    const labels = { app: "web" };
    await client.apps.v1.deployments("default").create({
      metadata: { name: "web" },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
      },
    });
    const settled = await waitFor(
      client.apps.v1.deployments("default"),
      "web",
      (deployment) => deployment?.status?.updatedReplicas === 2,
    );
    expect(settled?.status?.unavailableReplicas).toBe(2);
    const [replicaSet] = (await client.apps.v1.replicasets("default").list()).items;
    expect(replicaSet?.metadata?.managedFields?.[0]?.manager).toContain("kube-controller-manager");
  });

  it("shows health to everybody, and metrics to those whom the API server allows", async () => {
    expect(await get(port, "/healthz")).toEqual({ status: 200, body: "ok" });
    expect((await get(port, "/metrics")).status).toBe(403);
    const headers = { authorization: "Bearer nonsense" };
    expect((await get(port, "/metrics", { headers })).status).toBe(401);
    const admin = { cert: readFileSync(pki("admin.crt")), key: readFileSync(pki("admin.key")) };
    expect((await get(port, "/metrics", admin)).body).toContain('workqueue_adds_total{name="deployment"}');
    expect(JSON.parse((await get(port, "/configz", admin)).body)).toHaveProperty(
      ["kubecontrollermanager.config.k8s.io", "controllers"],
      ["*"],
    );
  });

  it("hands the lead to another one when the leader is killed, and gives it up when it is stopped", async () => {
    const first = managers[0];
    const before = await holder();
    const second = start(0);
    first?.child.kill("SIGKILL");
    const changed = await waitFor(
      client.coordination.v1.leases("kube-system"),
      "kube-controller-manager",
      (lease) => lease?.spec?.holderIdentity !== undefined && lease.spec.holderIdentity !== before,
    );
    expect(changed?.spec?.holderIdentity).not.toBe("");
    // A leader that has renewed has started: on a busy machine starting all controllers may take longer than its lease.
    await waitFor(
      client.coordination.v1.leases("kube-system"),
      "kube-controller-manager",
      (lease) =>
        lease?.spec?.holderIdentity === changed?.spec?.holderIdentity &&
        lease?.spec?.renewTime !== changed?.spec?.renewTime,
    );
    second.child.kill("SIGTERM");
    await second.exited;
    expect(await holder()).toBe("");
    expect(second.child.exitCode).toBe(0);
  });
});
