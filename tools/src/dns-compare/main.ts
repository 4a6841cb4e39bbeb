// npm run tool -- dns-compare: see `usage`.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { createSeededRandom } from "@coxswain/runtime/random";
import { encodeMessage } from "@coxswain/wire/dns";
import { ownLauncher, runProgram, startCoxswain } from "../clients/index.js";
import { ensureProgram, freePorts, type ManagedProcess, startProcess, stopOnSignal } from "../upstream/index.js";
import { ask } from "./ask.js";
import { comparable } from "./compare-answers.js";
import { generateCluster } from "./generate-cluster.js";
import { type GeneratedQuestion, generateQuestions } from "./generate-questions.js";
import { measure } from "./measure.js";
import { startOutsideServer } from "./outside-server.js";

const usage = `npm run tool -- dns-compare [flags]

Asks CoreDNS and ours the same generated questions about one generated cluster, and compares flags, codes and records as sets; then
measures questions per second of both.

  --questions N   how many are compared (default 5000)
  --services N    of the cluster (default 300)
  --seconds N     of each measurement; 0: none (default 10)
  --seed TEXT     (default 1)
`;

const { values } = parseArgs({
  options: {
    questions: { type: "string", default: "5000" },
    services: { type: "string", default: "300" },
    seconds: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const stops: (() => Promise<unknown>)[] = [];
const stopAll = async (): Promise<void> => {
  for (const stop of stops.splice(0).reverse()) await stop();
};
stopOnSignal(stopAll);

interface Server {
  readonly name: string;
  readonly port: number;
  readonly process: ManagedProcess;
}

const corefile = (port: number, kubeconfig: string, outside: number): string => `.:${port} {
  bind 127.0.0.1
  errors
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    kubeconfig ${kubeconfig}
    pods insecure
    fallthrough in-addr.arpa ip6.arpa
    ttl 5
  }
  forward . 127.0.0.1:${outside}
  loadbalance
}
`;

async function startServers(folder: string, kubeconfig: string): Promise<Server[]> {
  const outside = await startOutsideServer();
  stops.push(() => outside.stop());
  const [theirPort = 0, ourPort = 0] = await freePorts(2);
  writeFileSync(join(folder, "Corefile"), corefile(theirPort, kubeconfig, outside.port));
  const theirs = startProcess({
    name: "coredns",
    command: await ensureProgram("coredns"),
    args: ["-conf", join(folder, "Corefile")],
    logFile: join(folder, "coredns.log"),
  });
  stops.push(() => theirs.stop());
  const flags = [`--kubeconfig=${kubeconfig}`, `--port=${ourPort}`, `--forward=127.0.0.1:${outside.port}`];
  const pages = ["--health-port=0", "--ready-port=0", "--metrics-port=0", "--client-queries-per-second=0"];
  const ours = startProcess({
    name: "coxswain dns",
    command: process.execPath,
    args: [ownLauncher, "dns", ...flags, ...pages],
    logFile: join(folder, "dns.log"),
  });
  stops.push(() => ours.stop());
  return [
    { name: "CoreDNS", port: theirPort, process: theirs },
    { name: "ours", port: ourPort, process: ours },
  ];
}

/** Both have read the cluster: a service that is created last has an address. */
async function waitForLast({ port, process: server }: Server, last: string): Promise<void> {
  const question = generateQuestionFor(`${last}.svc.cluster.local`);
  await server.waitUntil(async () => ((await ask(question, port).catch(() => undefined))?.answers.length ?? 0) > 0, {
    timeoutMs: 60_000,
    intervalMs: 200,
  });
}

const generateQuestionFor = (name: string): GeneratedQuestion => ({
  transport: "tcp",
  message: {
    id: 1,
    isResponse: false,
    opcode: 0,
    authoritative: false,
    truncated: false,
    recursionDesired: true,
    recursionAvailable: false,
    authenticData: false,
    checkingDisabled: false,
    responseCode: 0,
    questions: [{ name, type: 1, class: 1 }],
    answers: [],
    authorities: [],
    additionals: [],
    edns: undefined,
  },
});

/** How many answers differ; prints the first of them. */
async function compareAll(questions: readonly GeneratedQuestion[], [theirs, ours]: readonly Server[]): Promise<number> {
  let different = 0;
  const codes = new Map<string, number>();
  for (const question of questions) {
    const [theirAnswer, ourAnswer] = await Promise.all([ask(question, theirs!.port), ask(question, ours!.port)]);
    const [a, b] = [theirAnswer && comparable(theirAnswer), ourAnswer && comparable(ourAnswer)];
    const kind = theirAnswer
      ? `${theirAnswer.responseCode}${theirAnswer.answers.length > 0 ? " with answers" : ""}`
      : "none";
    codes.set(kind, (codes.get(kind) ?? 0) + 1);
    if (isDeepStrictEqual(a, b)) continue;
    different++;
    if (different > 10) continue;
    const { name, type, class: questionClass } = question.message.questions[0]!;
    print(
      `\n${question.transport} ${name} type ${type} class ${questionClass} ${JSON.stringify(question.message.edns ?? null)}`,
    );
    print(`  CoreDNS ${JSON.stringify(a)}\n  ours    ${JSON.stringify(b)}`);
  }
  print(`response codes of CoreDNS: ${[...codes].map(([code, count]) => `${code}: ${count}`).join(", ")}`);
  return different;
}

async function measureBoth(questions: readonly GeneratedQuestion[], servers: readonly Server[]): Promise<void> {
  const encoded = questions
    .filter(({ transport, message }) => transport === "udp" && /cluster\.local$/i.test(message.questions[0]!.name))
    .map(({ message }) => encodeMessage(message));
  const seconds = Number(values.seconds);
  print(
    `\n${"".padEnd(10)}${"in flight".padStart(10)}${"per s".padStart(10)}${"per CPU s".padStart(11)}${"p50 ms".padStart(9)}${"p99 ms".padStart(9)}${"lost".padStart(6)}${"MB".padStart(7)}`,
  );
  for (const load of [{ inFlight: 1 }, { inFlight: 4 }, { inFlight: 64 }, { inFlight: 16, perSecond: 2000 }])
    for (const { name, port, process: server } of servers) {
      await measure({ port, pid: server.pid, questions: encoded, seconds: Math.min(2, seconds), ...load });
      const found = await measure({ port, pid: server.pid, questions: encoded, seconds, ...load });
      print(
        name.padEnd(10) +
          (load.perSecond === undefined ? String(load.inFlight) : `${load.perSecond}/s`).padStart(10) +
          found.perSecond.toFixed(0).padStart(10) +
          found.perCpuSecond.toFixed(0).padStart(11) +
          found.p50Ms.toFixed(2).padStart(9) +
          found.p99Ms.toFixed(2).padStart(9) +
          String(found.lost).padStart(6) +
          found.megabytes.toFixed(0).padStart(7),
      );
    }
}

async function run(folder: string): Promise<number> {
  const server = await startCoxswain({
    dataDir: join(folder, "data"),
    args: ["--service-cluster-ip-range=10.96.0.0/16,fd00:96::/112"],
  });
  stops.push(() => server.stop());
  const kubectlProgram = await ensureProgram("kubectl");
  const kubectl = async (args: readonly string[], input = ""): Promise<string> => {
    const result = await runProgram(kubectlProgram, ["--kubeconfig", server.kubeconfig, ...args], { input });
    if (result.code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${result.stderr.trim()}`);
    return result.stdout;
  };
  const random = createSeededRandom(`dns ${values.seed}`);
  const cluster = generateCluster(random, { services: Number(values.services) });
  const last = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "last", namespace: "shop" },
    spec: { ports: [{ port: 80 }] },
  };
  const items = [...cluster.objects, last];
  await kubectl(["create", "--filename=-", "--output=name"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  const services = JSON.parse(await kubectl(["get", "services", "--all-namespaces", "--output=json"])) as {
    items: { spec: { clusterIPs?: string[] } }[];
  };
  const clusterIps = services.items.flatMap(({ spec }) => spec.clusterIPs ?? []).filter((ip) => ip !== "None");
  const servers = await startServers(folder, server.kubeconfig);
  for (const one of servers) await waitForLast(one, "last.shop");
  const questions = generateQuestions(random, { ...cluster, clusterIps }, Number(values.questions));
  print(
    `${cluster.services.length} services, ${cluster.addresses.length} endpoints, ${questions.length} questions, seed ${values.seed}`,
  );
  const different = await compareAll(questions, servers);
  print(`${questions.length - different} of ${questions.length} answers are equal`);
  if (Number(values.seconds) > 0) await measureBoth(questions, servers);
  return different === 0 ? 0 : 1;
}

if (values.help) print(usage);
else {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-dns-"));
  try {
    process.exitCode = await run(folder);
  } finally {
    await stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
}
