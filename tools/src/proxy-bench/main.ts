// npm run tool -- proxy-bench: see `usage`.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { median } from "../bench/median.js";
import { ownLauncher, removeDataDir, startCoxswain } from "../clients/coxswain-process.js";
import { ensureProgram } from "../upstream/index.js";
import { openApi } from "./api.js";
import { measureProxy, type ProxyFigures, reachable } from "./measure-proxy.js";
import { proxyConfiguration } from "./proxy-configuration.js";
import { createServices } from "./services.js";

const usage = `npm run tool -- proxy-bench [flags]

Services with two endpoints each on our API server; kube-proxy (nftables mode) and coxswain proxy one after the other, in a network
namespace of the tool's own: time until all rules are written, time from one changed endpoint to a connection that reaches it, memory.
Needs root.

  --services N   how many (default 10000)
  --tries N      changed endpoints (default 7)
  --only WHOSE   ours or upstream
`;

const { values: options } = parseArgs({
  options: {
    services: { type: "string", default: "10000" },
    tries: { type: "string", default: "7" },
    only: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const insideMark = "COXSWAIN_PROXY_BENCH_INSIDE";

if (options.help) print(usage);
else if (process.env[insideMark] === undefined) process.exitCode = await enter();
else await run();

/** The same program in a network namespace without any way out. */
async function enter(): Promise<number> {
  const kubeProxy = options.only === "ours" ? "" : await ensureProgram("kube-proxy");
  const { status } = spawnSync(
    "unshare",
    ["-n", process.execPath, fileURLToPath(import.meta.url), ...process.argv.slice(2)],
    {
      stdio: "inherit",
      env: { ...process.env, [insideMark]: kubeProxy },
    },
  );
  return status ?? 1;
}

async function run(): Promise<void> {
  const [services, tries] = [Number(options.services), Number(options.tries)];
  const commands = [
    "link set lo up",
    "route add 10.96.0.0/12 dev lo",
    ...reachable.map((one) => `addr add ${one}/32 dev lo`),
  ];
  for (const command of commands) execFileSync("ip", command.split(" "));
  const listener = createServer((socket) => socket.end()).listen(8080, "0.0.0.0");
  const folder = mkdtempSync(join(tmpdir(), "proxy-bench-"));
  const server = await startCoxswain({ args: ["--storage=memory", "--service-cluster-ip-range=10.96.0.0/12"] });
  const api = openApi(server.kubeconfig);
  try {
    await api.send("POST", "/api/v1/nodes", { metadata: { name: "here" } });
    await api.send("PUT", "/api/v1/nodes/here/status", {
      metadata: { name: "here" },
      status: { addresses: [{ type: "InternalIP", address: "127.0.0.1" }] },
    });
    await createServices(api, services);
    const config = join(folder, "config.json");
    writeFileSync(config, JSON.stringify(proxyConfiguration(server.kubeconfig, "10.200.0.0/15")));
    const flags = [`--config=${config}`, "--hostname-override=here"];
    const proxies = [
      { name: "kube-proxy", whose: "upstream", command: [process.env[insideMark] ?? "", ...flags] },
      { name: "coxswain proxy", whose: "ours", command: [process.execPath, ownLauncher, "proxy", ...flags] },
    ];
    print(`${services} services with two endpoints each`);
    for (const [at, proxy] of proxies.entries()) {
      if (options.only !== undefined && options.only !== proxy.whose) continue;
      const logFile = join(folder, `${proxy.whose}.log`);
      // Each changes services of its own: those that the other has moved are reached already.
      const changed = Array.from({ length: tries }, (_, next) => services - 1 - at * tries - next);
      print(line(proxy.name, await measureProxy({ ...proxy, logFile }, { api, changed })));
      execFileSync("nft", ["flush", "ruleset"]);
    }
  } finally {
    api.close();
    listener.close();
    await server.stop("SIGKILL");
    removeDataDir(server);
    rmSync(folder, { recursive: true, force: true });
  }
}

function line(name: string, { startMs, firstSyncMs, processorMs, changesMs, megabytes }: ProxyFigures): string {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  const change = median(changesMs);
  return [
    `${name}: rules of all services ${seconds(startMs)} after the start`,
    `first sync ${seconds(firstSyncMs)}`,
    `processor time until then ${seconds(processorMs)}`,
    `a changed endpoint reached after ${typeof change === "number" ? seconds(change) : "-"} (median of ${changesMs.length}: ${changesMs.map((ms) => Math.round(ms)).join(" ")} ms)`,
    `${Math.round(megabytes)} MB`,
  ].join(", ");
}
