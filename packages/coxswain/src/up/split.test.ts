import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectedClient, connect, createNodeTransport, exec, loadKubeconfig } from "@coxswain/client/node";
import { waitForRollout } from "@coxswain/client/rollout";
import { waitFor } from "@coxswain/client/wait";
import { type CoxswainProcess, ownLauncher, runProgram, startCoxswain } from "@coxswain/tools/clients";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

describe("coxswain up --split=on", { timeout: 120_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), "coxswain-split-"));
  let up: CoxswainProcess;
  let client: ConnectedClient;

  beforeAll(async () => {
    up = await startCoxswain({
      // The kernel's field for the path of a socket is shorter.
      dataDir: mkdirSync(join(home, "long".repeat(30)), { recursive: true }) ?? "",
      command: "up",
      args: ["--in-memory", "--split=on", "--nodes=2", "--console=false", "--gateway-port=0", "--history"],
    });
    client = connect(loadKubeconfig({ path: up.kubeconfig }));
  }, 120_000);
  afterAll(async () => {
    await client.close();
    await up.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const socket = (): string => join(up.dataDir, "parts", "api.sock");
  /** Of the processes that run the parts, by their words. */
  const parts = (): Map<string, number> =>
    new Map(
      execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" })
        .split("\n")
        .map((line) => /^\s*(\d+)\s+(\d+)\s.* part (nodes|control)$/.exec(line))
        .flatMap((found) =>
          found && Number(found[2]) === up.pid ? [[found[3] ?? "", Number(found[1])] as const] : [],
        ),
    );
  const scale = async (replicas: number): Promise<void> => {
    await client.apps.v1.deployments("default").patch("web", { merge: { spec: { replicas } } });
    await waitForRollout(client, { kind: "Deployment", namespace: "default", name: "web" });
  };
  const logs = async (): Promise<string> => {
    const response = await client.rest.open({ method: "GET", path: "/api/v1/namespaces/default/pods/one/log" });
    return new TextDecoder().decode(await response.bytes());
  };

  it("runs nodes, and controllers and scheduler, beside the API server", async () => {
    expect([...parts().keys()].sort()).toEqual(["control", "nodes"]);
    const labels = { app: "web" };
    await client.apps.v1.deployments("default").create({
      metadata: { name: "web" },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
      },
    });
    await waitForRollout(client, { kind: "Deployment", namespace: "default", name: "web" });
  });

  it("answers for logs, commands and usage of their pods", async () => {
    const main = { name: "main", image: "busybox", command: ["sh", "-c", "echo hello; sleep 1000"] };
    await client.core.v1.pods("default").create({ metadata: { name: "one" }, spec: { containers: [main] } });
    await waitFor(client.core.v1.pods("default"), "one", (pod) => pod?.status?.phase === "Running");
    expect(await logs()).toBe("hello\n");
    const running = await exec(client, { namespace: "default", pod: "one", command: ["echo", "from exec"] });
    expect(await text(running.stdout)).toBe("from exec\n");
    expect(await running.done).toEqual({ exitCode: 0 });
    const path = "/apis/metrics.k8s.io/v1beta1/nodes";
    const { items } = (await client.rest.send({ method: "GET", path })) as { items: object[] };
    expect(items).toHaveLength(2);
  });

  it("each component writes as itself, and its writes name their cause", async () => {
    const { items } = await client.core.v1.pods("default").list({ labelSelector: "app=web" });
    const [pod] = items;
    const managers = pod?.metadata?.managedFields?.map(({ manager }) => manager);
    expect(new Set(managers)).toEqual(new Set(["kube-controller-manager", "kubelet"]));
    const line = ["why", `pod/${pod?.metadata?.name}`, "--kubeconfig", up.kubeconfig];
    const { stdout } = await runProgram(process.execPath, [ownLauncher, ...line]);
    expect(stdout).toMatch(
      / was created by replicaset-controller,.*\n.* was created by deployment-controller,.*\n.* Deployment web was created by kubernetes-admin/,
    );
  });

  it("only this user opens the socket, and a client without a token is refused", async () => {
    expect(statSync(socket()).mode & 0o777).toBe(0o600);
    expect(statSync(join(socket(), "..")).mode & 0o777).toBe(0o700);
    symlinkSync(join(up.dataDir, "parts"), join(home, "parts"));
    const stranger = createNodeTransport({ server: `unix://${join(home, "parts", "api.sock")}`, environment: {} });
    for (const headers of [{}, { authorization: "Bearer x", "coxswain-user": "system:kube-scheduler" }]) {
      const response = await stranger.send({ method: "GET", path: "/api/v1/nodes", headers });
      await response.bytes();
      expect(response.status).toBe(401);
    }
    await stranger.close();
  });

  it("parts that are killed are started again, and nothing is lost", async () => {
    const before = parts();
    for (const pid of before.values()) process.kill(pid, "SIGKILL");
    await scale(3);
    while (!(await logs().catch(() => ""))) await sleep(100);
    expect(await logs()).toBe("hello\n");
    const after = parts();
    expect([...after.keys()].sort()).toEqual(["control", "nodes"]);
    for (const [name, pid] of after) expect(pid).not.toBe(before.get(name));
    expect(up.output()).toMatch(
      /ERROR the process of the simulated nodes ended and is started again {2}signal=SIGKILL/,
    );
  });

  it("ends with its parent, and leaves nothing", async () => {
    const before = [...parts().values()];
    expect(await up.stop()).toBe(0);
    for (const pid of before) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect(existsSync(join(up.dataDir, "parts"))).toBe(false);
  });
});
