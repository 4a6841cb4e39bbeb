import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, loadKubeconfig } from "@coxswain/client/node";
import { ownLauncher, type ProgramResult, runProgram } from "@coxswain/tools/clients";
import { afterAll, describe, expect, it } from "vitest";

/** What a job of CI does with a cluster, in this order, and what its mistakes end with. */
describe("a walk in CI", { timeout: 300_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), "coxswain-ci-"));
  const kubeconfig = join(home, "job.kubeconfig");
  const coxswain = (line: string): Promise<ProgramResult> =>
    runProgram(process.execPath, [ownLauncher, ...line.split(" ")], { env: { COXSWAIN_HOME: home, HOME: home } });
  const succeeds = async (line: string): Promise<string> => {
    const { code, stdout, stderr } = await coxswain(line);
    expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
    return stdout;
  };
  afterAll(async () => {
    await coxswain("down");
    rmSync(home, { recursive: true, force: true });
  });

  it("up returns when the cluster works, and wait when its nodes are ready", async () => {
    const flags = `--in-memory --secure-port 0 --console=false --write-kubeconfig ${kubeconfig} --logging-format json`;
    const printed = await succeeds(`up --detach ${flags}`);
    expect(
      printed
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { message: string }).message),
    ).toContain('"coxswain down" stops it.');
    await succeeds("wait --timeout 2m");
  });

  it("the work: a Deployment, and wait until its pods run", async () => {
    const client = connect(loadKubeconfig({ path: kubeconfig }));
    const labels = { app: "web" };
    await client.apps.v1.deployments("default").create({
      metadata: { name: "web" },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
      },
    });
    await expect
      .poll(async () => (await client.core.v1.pods("default").list()).items.length, { timeout: 60_000 })
      .toBe(2);
    await client.close();
    await succeeds("wait --pods --timeout 2m");
  });

  it("status is JSON for programs", async () => {
    const { clusters } = JSON.parse(await succeeds("status -o json")) as { clusters: object[] };
    expect(clusters).toMatchObject([
      { name: "default", state: "running", nodes: { ready: 3, all: 3 }, pods: { running: 2, all: 2 } },
    ]);
  });

  const mistakes: [line: string, code: number, message: RegExp][] = [
    ["upp", 2, /upp.*\n?.*\bup\b/],
    ["up --nodez 3", 2, /nodez.*--nodes/s],
    ["up --nodes three", 2, /--nodes/],
    ["status -o yaml", 2, /yaml/],
    ["wait --name nobody --timeout 1s", 1, /nobody/],
    ["status --name nobody", 1, /nobody/],
    ["up --detach --in-memory", 1, /runs/],
  ];
  for (const [line, code, message] of mistakes)
    it(`"coxswain ${line}" ends with ${code} and names the mistake`, async () => {
      const result = await coxswain(line);
      expect({ code: result.code, text: result.stdout + result.stderr }).toEqual({
        code,
        text: expect.stringMatching(message),
      });
    });

  it("down ends it, and a second down is no error", async () => {
    expect(await succeeds("down")).toBe("stopped\n");
    await succeeds("down");
    const { code, stdout } = await coxswain("status -o json");
    expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({ code: 1, clusters: [{ state: "stopped" }] });
  });
});
