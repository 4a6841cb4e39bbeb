import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pod } from "@coxswain/api/core/v1";
import { connect, loadKubeconfig } from "@coxswain/client/node";
import { waitForRollout } from "@coxswain/client/rollout";
import { ownLauncher, runProgram } from "@coxswain/tools/clients";
import { afterAll, describe, expect, it } from "vitest";

describe("coxswain up", { timeout: 60_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), "coxswain-up-"));
  const coxswain = async (line: string): Promise<{ code: number | null; stdout: string; stderr: string }> =>
    runProgram(process.execPath, [ownLauncher, ...line.split(" ")], {
      env: { COXSWAIN_HOME: home, HOME: home, KUBECONFIG: join(home, "merged") },
    });
  const kubeconfig = join(home, "dev/kubeconfig");
  afterAll(async () => {
    await coxswain("down --name dev");
    rmSync(home, { recursive: true, force: true });
  });

  it("starts a cluster in the background, on which a Deployment becomes running pods", async () => {
    const { code, stdout } = await coxswain("up --name dev --detach --secure-port 0 --nodes 2 --merge-kubeconfig");
    expect(stdout).toContain("2 simulated nodes");
    expect(code).toBe(0);
    const client = connect(loadKubeconfig({ path: kubeconfig }));
    const labels = { app: "web" };
    await client.apps.v1.deployments("default").create({
      metadata: { name: "web" },
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
      },
    });
    await waitForRollout(client, { kind: "Deployment", namespace: "default", name: "web" });
    await client.close();
    expect((await coxswain("status --name dev")).stdout).toMatch(
      /2 of 2 nodes ready \(all simulated: .*\), 3 of 3 pods running/,
    );
  });

  it("writes the kubeconfig when all nodes are there", async () => {
    const file = join(home, "when-ready");
    const line = `up --name later --in-memory --secure-port 0 --nodes 50 --write-kubeconfig ${file}`;
    const up = spawn(process.execPath, [ownLauncher, ...line.split(" ")], {
      env: { ...process.env, COXSWAIN_HOME: join(home, "other") },
      stdio: "ignore",
    });
    while (!existsSync(file)) await sleep(1);
    const client = connect(loadKubeconfig({ path: file }));
    const { items } = await client.core.v1.nodes().list();
    await client.close();
    up.kill("SIGINT");
    await once(up, "exit");
    expect(items).toHaveLength(50);
  });

  it("is waited for, and shown as JSON", async () => {
    expect(await coxswain("wait --name dev --pods")).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const { code, stdout } = await coxswain("status --name dev -o json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      clusters: [
        { name: "dev", state: "running", nodes: { ready: 2, all: 2 }, pods: { running: 3, all: 3 }, kubeconfig },
      ],
    });
  });

  it("that is not there is not waited for longer than asked", async () => {
    const { code, stderr } = await coxswain("wait --name nowhere --timeout 1ms");
    expect(code).toBe(1);
    expect(stderr).toContain('it does not run; "coxswain up --name nowhere --detach" starts it');
    expect(await coxswain("status --name nowhere")).toMatchObject({ code: 1 });
    expect(await coxswain("status")).toMatchObject({ code: 0 });
  });

  it("words that make no sense end with 2 and a suggestion", async () => {
    expect(await coxswain("statsu")).toMatchObject({
      code: 2,
      stderr: 'coxswain: no command is called "statsu". Did you mean "coxswain status"?\n',
    });
    expect(await coxswain("status -o yaml")).toMatchObject({
      code: 2,
      stderr: 'coxswain status: --output must be json, not "yaml"\n',
    });
  });

  it("refuses to start it twice, and reports what to do", async () => {
    const { code, stderr } = await coxswain("up --name dev --detach");
    expect(code).toBe(1);
    expect(stderr).toContain('"coxswain down --name dev" stops it');
  });

  it("makes nodes fail and recover by command", async () => {
    const client = connect(loadKubeconfig({ path: kubeconfig }));
    const annotations = async (): Promise<object | undefined> =>
      (await client.core.v1.nodes().get("node-1")).metadata?.annotations;
    expect((await coxswain("node kill node-1 --name dev")).stdout).toBe(
      "node/node-1 killed; NotReady in 40 to 50 seconds, its pods are evicted five minutes later\n",
    );
    expect(await annotations()).toMatchObject({ "simulation.coxswain.dev/machine": "off" });
    expect((await coxswain("node recover node-1 --name dev")).stdout).toBe("node/node-1 recovered\n");
    expect(await annotations()).not.toHaveProperty(["simulation.coxswain.dev/machine"]);
    expect((await coxswain("node drain node-1 --name dev")).stdout).toMatch(
      /^node\/node-1 drained, \d+ pods evicted\n$/,
    );
    expect((await client.core.v1.nodes().get("node-1")).spec?.unschedulable).toBe(true);
    await coxswain("node recover node-1 --name dev");
    expect((await client.core.v1.nodes().get("node-1")).spec?.unschedulable).toBeUndefined();
    expect(await coxswain("node kill nowhere --name dev")).toMatchObject({
      code: 1,
      stderr: 'nodes "nowhere" not found\n',
    });
    expect((await coxswain("node kil node-1 --name dev")).stderr).toContain("Did you mean kill?");
    await waitForRollout(client, { kind: "Deployment", namespace: "default", name: "web" });
    await client.close();
  });

  it("goes on with the same data, port and running pods after down and up", async () => {
    const pods = async (): Promise<readonly Pod[]> => {
      const client = connect(loadKubeconfig({ path: kubeconfig }));
      const { items } = await client.core.v1.pods("default").list();
      await client.close();
      return items;
    };
    const { server } = loadKubeconfig({ path: kubeconfig });
    const before = await pods();
    expect((await coxswain("down --name dev")).stdout).toBe("stopped\n");
    expect((await coxswain("status --name dev")).code).toBe(1);
    expect((await coxswain("status")).code).toBe(1);
    await coxswain("up --name dev --detach --nodes 2");
    expect(loadKubeconfig({ path: kubeconfig }).server).toBe(server);
    expect(before).toHaveLength(3);
    expect(await pods()).toEqual(before);
  });

  it("adds itself to the user's kubeconfig, and reset takes all of it away", async () => {
    expect(loadKubeconfig({ path: join(home, "merged") }).server).toContain("https://127.0.0.1:");
    const unasked = await coxswain("reset --name dev");
    expect(unasked).toMatchObject({
      code: 1,
      stderr: 'nothing was deleted; "coxswain reset --name dev --yes" does not ask\n',
    });
    expect((await coxswain("reset --name dev --yes")).stdout).toContain("deleted the cluster");
    expect(existsSync(join(home, "dev"))).toBe(false);
    expect(() => loadKubeconfig({ path: join(home, "merged"), context: "coxswain-dev" })).toThrow("coxswain-dev");
    const none = await coxswain("status");
    expect([none.stdout, none.code]).toEqual(['there is no cluster; "coxswain up" starts one\n', 1]);
    const asJson = await coxswain("status -o json");
    expect([JSON.parse(asJson.stdout), asJson.code]).toEqual([{ clusters: [] }, 1]);
  });
});
