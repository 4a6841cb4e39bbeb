import { request } from "node:https";
import { hostname } from "node:os";
import { systemClock } from "@coxswain/runtime/clock";
import { pollUntil } from "@coxswain/runtime/wait";
import { startCluster, type TestCluster } from "@coxswain/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { builtIn, type Manager } from "../index.js";
import { type RunOperatorOptions, runOperator } from "./index.js";

const { configmaps } = builtIn.core.v1;
const limitMs = 240_000;

interface RunningOperator {
  readonly manager: Manager;
  /** By the server's name in the log. */
  port(server: string): Promise<number>;
  stop(): Promise<void>;
}

describe("runOperator", { timeout: 2 * limitMs }, () => {
  let cluster: TestCluster;
  let kubeconfig: string;
  /** What operators log to stderr. */
  let log: { message: string; server?: string; port?: number }[] = [];
  const running: RunningOperator[] = [];

  beforeAll(async () => {
    // Tokens are checked by the cluster's time, certificates by the time of day.
    cluster = await startCluster({ nodes: 0, controllers: [], startMs: systemClock.now() });
    kubeconfig = await cluster.kubeconfig();
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      for (const line of String(text).split("\n")) if (line.startsWith("{")) log.push(JSON.parse(line));
      return true;
    });
  });
  afterEach(async () => {
    for (const operator of running.splice(0)) await operator.stop();
    log = [];
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await cluster.stop();
  });

  async function start(flags: string, setUp: RunOperatorOptions["setUp"] = () => {}): Promise<RunningOperator> {
    const ending = new AbortController();
    let resolveStarted: (manager: Manager) => void = () => {};
    let rejectStarted: (reason: unknown) => void = () => {};
    const started = new Promise<Manager>((resolve, reject) => {
      resolveStarted = resolve;
      rejectStarted = reject;
    });
    const ended = runOperator({
      leaderElectionId: "op.example.com",
      args: ["--kubeconfig", kubeconfig, ...flags.split(" ")],
      signal: ending.signal,
      async setUp(manager) {
        await setUp(manager);
        resolveStarted(manager);
      },
    });
    ended.catch(rejectStarted);
    const manager = await started;
    const operator: RunningOperator = {
      manager,
      async port(server) {
        const find = () => log.find((line) => line.message === "Serving" && line.server === server)?.port;
        await pollUntil(() => find() !== undefined, { intervalMs: 10, timeoutMs: limitMs });
        return find() as number;
      },
      async stop() {
        ending.abort();
        await ended;
      },
    };
    await manager.started;
    running.push(operator);
    return operator;
  }
  const token = async (name: string): Promise<string> => {
    await cluster.client.core.v1.serviceaccounts("default").create({ metadata: { name } });
    const { status } = await cluster.client.core.v1
      .serviceaccounts("default")
      .subresource<{ spec: object; status?: { token: string } }>("token")
      .create(name, { spec: { audiences: [] } });
    return status?.token as string;
  };
  const noProbes = "--health-probe-bind-address=0";

  it("--health-probe-bind-address serves probes there, and 0 none", async () => {
    const served = await start("--health-probe-bind-address=127.0.0.1:0");
    const url = `http://127.0.0.1:${await served.port("health probe")}`;
    expect([(await fetch(`${url}/healthz`)).status, (await fetch(`${url}/readyz`)).status]).toEqual([200, 200]);
    await served.stop();
    log = [];
    await start(noProbes);
    expect(log.filter(({ message }) => message === "Serving")).toEqual([]);
  });

  it("--metrics-bind-address serves metrics in plain HTTP with --metrics-secure=false", async () => {
    const operator = await start(`${noProbes} --metrics-bind-address=127.0.0.1:0 --metrics-secure=false`);
    const answer = await fetch(`http://127.0.0.1:${await operator.port("metrics")}/metrics`);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("process_start_time_seconds")]);
  });

  it("secure metrics are for those who may get /metrics", async () => {
    const operator = await start(`${noProbes} --metrics-bind-address=127.0.0.1:0`);
    const port = await operator.port("metrics");
    const status = (authorization?: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = authorization === undefined ? {} : { authorization };
        // The server signs its certificate itself by default.
        const options = { host: "127.0.0.1", port, path: "/metrics", headers, rejectUnauthorized: false, agent: false };
        const sent = request(options, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        sent.on("error", reject).end();
      });
    const stranger = await token("stranger");
    const reader = await token("reader");
    await cluster.client.rbac.v1.clusterroles().create({
      metadata: { name: "metrics-reader" },
      rules: [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }],
    });
    await cluster.client.rbac.v1.clusterrolebindings().create({
      metadata: { name: "metrics-reader" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "metrics-reader" },
      subjects: [{ kind: "ServiceAccount", namespace: "default", name: "reader" }],
    });
    expect(await status()).toBe(401);
    expect(await status("Basic dTpw")).toBe(401);
    expect(await status("Bearer nonsense")).toBe(401);
    expect(await status(`Bearer ${stranger}`)).toBe(403);
    await expect.poll(() => status(`Bearer ${reader}`), { timeout: limitMs }).toBe(200);
  });

  it("--leader-elect: a Lease names the replica that reconciles, and is free for the next when that one has ended", async () => {
    const seen: string[] = [];
    const replica = (name: string) =>
      start(`${noProbes} --leader-elect --leader-election-namespace=kube-system`, (manager) => {
        manager
          .controller(name)
          .for(configmaps, { predicates: [({ object }) => object.metadata?.name === "elected"] })
          .reconcile(() => void seen.push(name));
      });
    const first = await replica("first");
    await first.manager.elected;
    const lease = () => cluster.client.coordination.v1.leases("kube-system").get("op.example.com");
    expect((await lease()).spec?.holderIdentity).toMatch(new RegExp(`^${hostname()}_[0-9a-f-]{36}$`));
    const second = await replica("second");
    await cluster.client.core.v1.configmaps("default").create({ metadata: { name: "elected" } });
    await expect.poll(() => seen, { timeout: limitMs }).toEqual(["first"]);
    expect([first.manager.isLeader, second.manager.isLeader]).toEqual([true, false]);
    await first.stop();
    await second.manager.elected;
    await expect.poll(() => seen, { timeout: limitMs }).toEqual(["first", "second"]);
  });

  it("--help prints the flags and runs nothing", async () => {
    const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const setUp = vi.fn();
    await runOperator({ leaderElectionId: "op.example.com", args: ["--help"], setUp });
    const text = String(written.mock.calls[0]?.[0]);
    written.mockRestore();
    for (const flag of ["--metrics-bind-address", "--health-probe-bind-address", "--leader-elect"])
      expect(text).toContain(flag);
    expect(setUp).not.toHaveBeenCalled();
  });

  const refused: [name: string, args: string[], message: string][] = [
    ["a misspelt flag", ["--metrics-bind-adress=:1"], "Did you mean --metrics-bind-address"],
    ["an unknown context", ["--context=none"], "none"],
  ];
  for (const [name, args, message] of refused)
    it(`${name} is refused`, async () => {
      const run = runOperator({
        leaderElectionId: "op.example.com",
        args: ["--kubeconfig", kubeconfig, ...args],
        setUp: () => {},
      });
      await expect(run).rejects.toThrow(message);
    });

  it("an address that is taken is an error, and ends the operator", async () => {
    const first = await start("--health-probe-bind-address=127.0.0.1:0");
    const taken = await first.port("health probe");
    await expect(start(`--health-probe-bind-address=127.0.0.1:${taken}`)).rejects.toThrow(
      `cannot listen at 127.0.0.1:${taken}`,
    );
  });
});
