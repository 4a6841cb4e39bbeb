import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { connect, loadKubeconfig } from "@coxswain/client/node";
import { type CoxswainProcess, ownLauncher, removeDataDir, startCoxswain } from "@coxswain/tools/clients";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Linux alone lists a process' children as a file. */
describe.skipIf(process.platform !== "linux")("coxswain gateway --processes", { timeout: 120_000 }, () => {
  let server: CoxswainProcess;
  let gateway: ChildProcess;
  let port: number;
  const processes = (): number[] => {
    const text = readFileSync(`/proc/${gateway.pid}/task/${gateway.pid}/children`, "utf8");
    return text.split(" ").flatMap((pid) => (pid === "" ? [] : [Number(pid)]));
  };
  const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000, interval: 50 });
  const ask = async (): Promise<number> => {
    const [response] = await once(get({ host: "127.0.0.1", port, agent: false }), "response");
    response.resume();
    return response.statusCode;
  };

  beforeAll(async () => {
    server = await startCoxswain();
    port = await freePort();
    const client = connect(loadKubeconfig({ path: server.kubeconfig }));
    await client.networking.v1
      .ingressclasses()
      .create({ metadata: { name: "ours" }, spec: { controller: "coxswain.dev/gateway" } });
    await client.networking.v1.ingresses("default").create({
      metadata: { name: "web" },
      spec: { ingressClassName: "ours", defaultBackend: { service: { name: "none", port: { number: 80 } } } },
    });
    await client.close();
    const flags = ["--kubeconfig", server.kubeconfig, "--http-port", `${port}`, "--processes", "2"];
    gateway = spawn(process.execPath, [ownLauncher, "gateway", ...flags], { stdio: "inherit" });
  }, 120_000);
  afterAll(async () => {
    gateway?.kill("SIGKILL");
    await server?.stop();
    if (server) removeDataDir(server);
  });

  it("serves a port by each of them", async () => {
    await until(async () => expect(await ask()).toBe(503)); // the Service is not there
    expect(processes()).toHaveLength(2);
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(new Set(answers)).toEqual(new Set([503]));
  });

  it("replaces one that is killed, while the other one serves", async () => {
    const [first = 0, second = 0] = processes();
    process.kill(first, "SIGKILL");
    await until(() => expect(processes()).not.toContain(first));
    // The other one may have been about to begin.
    await until(async () => expect(await ask()).toBe(503));
    await until(() => expect(processes()).toHaveLength(2));
    expect(processes()).toContain(second);
  });

  it("ends all of them with the command", async () => {
    const pids = processes();
    gateway.kill("SIGTERM");
    expect(await once(gateway, "exit")).toEqual([0, null]);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });
});
