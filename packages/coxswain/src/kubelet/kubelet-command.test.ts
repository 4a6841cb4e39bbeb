import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type ConnectedClient, connect, loadKubeconfig } from "@coxswain/client/node";
import { waitFor } from "@coxswain/client/wait";
import { type CoxswainProcess, ownLauncher, removeDataDir, startCoxswain } from "@coxswain/tools/clients";
import { freePorts } from "@coxswain/tools/upstream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

describe("coxswain kubelet", { timeout: 60_000 }, () => {
  let cluster: CoxswainProcess;
  let client: ConnectedClient;
  let kubelet: ChildProcess;
  let healthzPort = 0;
  const printed: string[] = [];

  beforeAll(async () => {
    cluster = await startCoxswain({
      command: "up",
      args: ["--in-memory", "--nodes=0", "--kubelet-preferred-address-types=InternalIP"],
    });
    client = connect(loadKubeconfig({ path: cluster.kubeconfig }));
    const [port = 0, health = 0] = await freePorts(2);
    healthzPort = health;
    kubelet = spawn(process.execPath, [
      ownLauncher,
      "kubelet",
      `--kubeconfig=${cluster.kubeconfig}`,
      "--nodes=2",
      "--hostname-override=sim",
      "--node-labels=zone=a",
      `--port=${port}`,
      `--healthz-port=${health}`,
    ]);
    for (const stream of [kubelet.stdout, kubelet.stderr]) stream?.on("data", (chunk) => printed.push(String(chunk)));
    await waitFor(client.core.v1.nodes(), "sim-1", (node) => node?.status?.conditions?.at(-1)?.status === "True");
  });
  afterAll(async () => {
    kubelet.kill();
    if (kubelet.exitCode === null) await once(kubelet, "exit");
    await client.close();
    await cluster.stop();
    removeDataDir(cluster);
  });

  it("runs pods on its nodes, which write as themselves", async () => {
    const pods = client.core.v1.pods("default");
    const main = { name: "main", image: "busybox", command: ["sh", "-c", "echo hello; sleep 1000"] };
    await pods.create({ metadata: { name: "one" }, spec: { nodeSelector: { zone: "a" }, containers: [main] } });
    const running = await waitFor(pods, "one", (pod) => pod?.status?.phase === "Running");
    expect(running?.spec?.nodeName).toMatch(/^sim-[01]$/);
    const lease = await client.coordination.v1.leases("kube-node-lease").get(running?.spec?.nodeName ?? "");
    expect(lease.spec?.holderIdentity).toBe(running?.spec?.nodeName);
  });

  it("serves the logs of its pods to the API server", async () => {
    const response = await client.rest.open({ method: "GET", path: "/api/v1/namespaces/default/pods/one/log" });
    expect(new TextDecoder().decode(await response.bytes())).toBe("hello\n");
  });

  it("is healthy, and ends in order", async () => {
    const answer = await fetch(`http://127.0.0.1:${healthzPort}/healthz`);
    expect(await answer.text()).toBe("ok");
    kubelet.kill("SIGTERM");
    await once(kubelet, "exit");
    expect({ code: kubelet.exitCode, printed: printed.join("") }).toEqual({
      code: 0,
      printed: expect.stringMatching(/^2 nodes are ready, served on https:\/\/127\.0\.0\.1:\d+\n$/),
    });
  });
});
