import { spawn } from "node:child_process";
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ownLauncher, removeDataDir, startCoxswain } from "../clients/coxswain-process.js";
import { inParallel, openApi } from "../proxy-bench/api.js";
import { proxyConfiguration } from "../proxy-bench/proxy-configuration.js";
import type { GeneratedService } from "./generate-service.js";

/** How long a proxy may need for the rules of all services; both write them within a second of the last change. */
const settleMs = 4_000;

/**
 * Runs inside a node's namespace: an API server with the services, and the proxy, until standard input ends. Prints "ready" when the
 * rules are written.
 */
export async function serveProxy(
  command: readonly string[] | "ours",
  services: readonly GeneratedService[],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "proxy-compare-"));
  const server = await startCoxswain({ args: ["--storage=memory", "--service-cluster-ip-range=10.96.0.0/12"] });
  const api = openApi(server.kubeconfig);
  const config = join(folder, "config.json");
  writeFileSync(config, JSON.stringify(proxyConfiguration(server.kubeconfig, "10.0.0.0/16")));
  await api.send("POST", "/api/v1/nodes", {
    metadata: { name: "here", labels: { "topology.kubernetes.io/zone": "zone-a" } },
  });
  await api.send("PUT", "/api/v1/nodes/here/status", {
    metadata: { name: "here" },
    status: { addresses: [{ type: "InternalIP", address: "192.168.0.2" }] },
  });
  await inParallel(services.length, async (at) => {
    const { service, slice, ingress, name } = services[at] as GeneratedService;
    const path = "/api/v1/namespaces/default/services";
    const made = (await api.send("POST", path, service)) as object;
    await api.send("POST", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", slice);
    if (ingress.length > 0)
      await api.send("PUT", `${path}/${name}/status`, { ...made, status: { loadBalancer: { ingress } } });
  });
  const log = openSync(join(folder, "proxy.log"), "w");
  const [program = "", ...args] = command === "ours" ? [process.execPath, ownLauncher, "proxy"] : command;
  const proxy = spawn(program, [...args, `--config=${config}`, "--hostname-override=here"], {
    stdio: ["ignore", log, log],
  });
  await sleep(settleMs);
  process.stdout.write("ready\n");
  process.stdin.resume();
  await new Promise((resolve) => process.stdin.once("end", resolve));
  proxy.kill("SIGKILL");
  api.close();
  await server.stop("SIGKILL");
  removeDataDir(server);
  rmSync(folder, { recursive: true, force: true });
}
