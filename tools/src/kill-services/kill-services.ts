import { execFileSync, spawnSync } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ownLauncher, removeDataDir, startCoxswain } from "../clients/index.js";
import { type Api, openApi } from "../proxy-bench/api.js";
import { askAll } from "../proxy-compare/ask.js";
import { randomOf } from "../proxy-compare/generate-service.js";
import type { Namespace } from "../proxy-compare/test-network.js";
import { type ChangingService, createService, deleteService, servicePort, updateService } from "./changing-services.js";
import { type EchoReport, openEchoes, serveEchoes } from "./echo.js";
import { comparableRules } from "./listed-table.js";
import { createRestarted } from "./restarted.js";

export interface KillOptions {
  readonly rounds: number;
  readonly seed: number;
  /** How many of them change. */
  readonly services: number;
  readonly a: Namespace;
  readonly b: Namespace;
  readonly client: Namespace;
  readonly print: (line: string) => void;
}

const nodeAddress = "192.168.0.2";
const dnsPort = 5353;
const echoes = { name: "echoes", address: "10.96.1.1", endpoints: ["a", "b"] } as const;
const echoPorts = { targetPort: 8081, nodePort: 30_081 } as const;
const plainPorts = { targetPort: 8080 } as const;
/** How long rules and names may need after a restart; a machine that is busy with other things takes its time. */
const settleMs = 120_000;

/** Runs on the node. Answers what went wrong. */
export async function killServices(options: KillOptions): Promise<string[]> {
  const { print } = options;
  const folder = mkdtempSync(join(tmpdir(), "kill-services-"));
  const server = await startCoxswain({ args: ["--storage=memory", "--service-cluster-ip-range=10.96.0.0/12"] });
  const api = openApi(server.kubeconfig);
  const config = join(folder, "config.json");
  writeFileSync(config, JSON.stringify(configurationOf(server.kubeconfig)));
  const proxy = createRestarted(["proxy", `--config=${config}`], join(folder, "proxy.log"));
  const dns = createRestarted(dnsCommand(server.kubeconfig), join(folder, "dns.log"));
  const pods = await Promise.all([serveEchoes(options.a), serveEchoes(options.b)]);
  try {
    await createNode(api);
    await createService(api, echoes, echoPorts);
    const run: Run = { options, api, proxy, dns, current: new Map(), wrongNames: [] };
    for (let at = 0; at < options.services; at++) await change(run, at, 1);
    proxy.start();
    dns.start();
    await settled(run);
    const open = await Promise.all([
      openEchoes(options.a, [{ address: echoes.address, port: servicePort }]),
      openEchoes(options.b, [{ address: echoes.address, port: servicePort }]),
      openEchoes(
        options.client,
        Array.from({ length: 4 }, () => ({ address: nodeAddress, port: echoPorts.nodePort })),
      ),
    ]);
    const rounds = await playRounds(run).then(
      () => [],
      (error: Error) => [error.message],
    );
    const reports = await Promise.all(open.map((one) => one.stop()));
    print(summaryOf(reports));
    const left = await comparedWithFresh(run, config);
    return [
      ...rounds,
      ...reports.flatMap(({ broken }) => broken.map((one) => `a connection broke: ${one}`)),
      ...run.wrongNames,
      ...left,
    ];
  } finally {
    await proxy.kill();
    await dns.kill();
    for (const pod of pods) pod.kill("SIGKILL");
    api.close();
    await server.stop("SIGKILL");
    removeDataDir(server);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Run {
  readonly options: KillOptions;
  readonly api: Api;
  readonly proxy: ReturnType<typeof createRestarted>;
  readonly dns: ReturnType<typeof createRestarted>;
  readonly current: Map<number, ChangingService>;
  /** Services that an answer denied while they existed. */
  readonly wrongNames: string[];
}

async function playRounds(run: Run): Promise<void> {
  const { rounds, seed, services, print } = run.options;
  const random = randomOf(seed);
  for (let round = 1; round <= rounds; round++) {
    for (let next = 0; next < 8; next++) await change(run, Math.floor(random() * services), random());
    // From "nothing is written yet" to "everything is": a start takes about a second.
    await sleep(random() * 1_500);
    const victims = random() < 0.7 ? [run.proxy] : [run.proxy, run.dns];
    for (const victim of victims) await victim.kill();
    if (random() < 0.5) await change(run, Math.floor(random() * services), random());
    await sleep(random() * 300);
    for (const victim of victims) victim.start();
    if (random() < 0.4) continue; // killed again before it is done
    const tookMs = await settled(run);
    print(
      `round ${round}: ${victims.length === 2 ? "proxy and dns" : "proxy"} killed, settled after ${Math.round(tookMs)} ms`,
    );
  }
  await settled(run);
}

/** Creates, moves or deletes a service, by a number from 0 to 1. */
async function change({ api, current }: Run, at: number, what: number): Promise<void> {
  const known = current.get(at);
  const endpoints = ([["a"], ["b"], ["a", "b"], []] as const)[Math.floor(what * 40) % 4] ?? [];
  const service = { name: `svc-${at}`, address: `10.96.2.${at + 1}`, endpoints };
  if (known === undefined) await createService(api, service, plainPorts);
  else if (what < 0.2) await deleteService(api, known);
  else await updateService(api, service, plainPorts);
  if (known !== undefined && what < 0.2) current.delete(at);
  else current.set(at, service);
}

/** Waits until each service leads where it should and each name is right. Answers the milliseconds it took. */
async function settled(run: Run): Promise<number> {
  const start = performance.now();
  for (;;) {
    const wrong = [...(await wrongConnections(run)), ...(await wrongAnswers(run))];
    const tookMs = performance.now() - start;
    if (wrong.length === 0) return tookMs;
    if (tookMs > settleMs) throw new Error(`not settled: ${wrong.slice(0, 5).join("; ")}`);
    await sleep(100);
  }
}

async function wrongConnections({ current, options }: Run): Promise<string[]> {
  const services = [...current.values()];
  const questions = services.map(({ address }) => ({ address, port: servicePort, protocol: "TCP" as const }));
  const answers = await askAll(options.client, questions, { tries: 8, waitMs: 1_000 });
  return services.flatMap(({ name, endpoints }, at) => {
    const found = new Set((answers[at] ?? []).map((answer) => answer.split(" ")[0] ?? ""));
    const wanted = endpoints.length === 0 ? ["refused"] : endpoints;
    // Of two endpoints chance may choose one eight times.
    const isRight = found.size > 0 && [...found].every((one) => wanted.some((pod) => pod === one));
    return isRight ? [] : [`${name} leads to ${[...found].join(" and ")}, not ${wanted.join(" and ")}`];
  });
}

/** No answer is none yet; an answer that denies a service is wrong at any time. */
async function wrongAnswers({ current, options, wrongNames }: Run): Promise<string[]> {
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([`${nodeAddress}:${dnsPort}`]);
  const wrong: string[] = [];
  for (let at = 0; at < options.services; at++) {
    const name = `svc-${at}.default.svc.cluster.local`;
    const wanted = current.get(at)?.address ?? "ENOTFOUND";
    const found = await resolver.resolve4(name).then(
      (addresses) => addresses.join(),
      (error: NodeJS.ErrnoException) => error.code ?? "",
    );
    if (found === wanted) continue;
    wrong.push(`${name} is ${found}, not ${wanted}`);
    if (["ECONNREFUSED", "ETIMEOUT", "ESERVFAIL"].includes(found)) break;
    if (found === "ENOTFOUND") wrongNames.push(`${name} was denied while it existed`);
  }
  return wrong;
}

/** The rules equal those of a proxy that starts on a clean node; a clean node has none. */
async function comparedWithFresh(run: Run, config: string): Promise<string[]> {
  const list = (): string =>
    execFileSync("nft", ["--json", "list", "ruleset"], { encoding: "utf8", maxBuffer: 1 << 28 });
  const killed = comparableRules(list());
  await run.proxy.kill();
  const { status } = spawnSync(process.execPath, [ownLauncher, "proxy", "--cleanup", `--config=${config}`]);
  const left = comparableRules(list());
  run.proxy.start();
  await settled(run);
  const fresh = comparableRules(list());
  const missing = fresh.filter((line) => !killed.includes(line));
  const more = killed.filter((line) => !fresh.includes(line));
  run.options.print(`${killed.length} rules, elements and chains; ${left.length} after --cleanup`);
  return [
    ...(status === 0 ? [] : [`--cleanup ended with ${status}`]),
    ...left.map((line) => `--cleanup left ${line}`),
    ...missing.map((line) => `missing after the kills: ${line}`),
    ...more.map((line) => `left behind by the kills: ${line}`),
  ];
}

function summaryOf(reports: readonly EchoReport[]): string {
  const echoesSeen = reports.reduce((sum, one) => sum + one.echoes, 0);
  const longest = Math.max(...reports.map(({ longestMs }) => longestMs));
  const broken = reports.flatMap((one) => one.broken).length;
  return `open connections: ${echoesSeen} echoes, the longest wait ${Math.round(longest)} ms, ${broken} broken`;
}

async function createNode(api: Api): Promise<void> {
  await api.send("POST", "/api/v1/nodes", { metadata: { name: "here" } });
  await api.send("PUT", "/api/v1/nodes/here/status", {
    metadata: { name: "here" },
    status: { addresses: [{ type: "InternalIP", address: nodeAddress }] },
  });
}

const configurationOf = (kubeconfig: string): object => ({
  apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
  kind: "KubeProxyConfiguration",
  mode: "nftables",
  hostnameOverride: "here",
  clientConnection: { kubeconfig },
  conntrack: { maxPerCore: 0 },
  detectLocalMode: "ClusterCIDR",
  clusterCIDR: "10.0.0.0/16",
});

const dnsCommand = (kubeconfig: string): string[] => [
  "dns",
  `--kubeconfig=${kubeconfig}`,
  `--bind-address=${nodeAddress}`,
  `--port=${dnsPort}`,
  "--health-port=0",
  "--ready-port=0",
  "--metrics-port=0",
];
