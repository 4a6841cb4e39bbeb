// npm run tool -- gateway-conformance: see `usage`.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { endWithStarter, missingForNodes, ownNamespaces, runInOwnNamespaces } from "../nodes/index.js";
import { startProcess, stopOnSignal } from "../upstream/index.js";
import { countResults } from "./count-results.js";
import { startSimulated, startWithContainers } from "./start-backends.js";
import { ensureBackend, ensureSuite } from "./suite-program.js";

const usage = `npm run tool -- gateway-conformance [flags] [PROFILE ...]

Runs the Gateway API's own conformance suite against \`coxswain up\` with simulated pods that answer as its backend. Every Gateway has an
address of its own below 127.90.0.0/16 with the ports that its listeners name, so that it needs the right to listen on low ports (root).

PROFILE: GATEWAY-HTTP GATEWAY-TLS GATEWAY-GRPC GATEWAY-TCP GATEWAY-UDP (default: all)

  --real-nodes N    on N nodes of containerd instead, in network namespaces (\`prepare nodes\` first)
  --run NAME        one test
  --features LIST   instead of those that the GatewayClass claims
  --skip LIST       tests that are left out
  --report FILE     where the suite's report goes
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "real-nodes": { type: "string" },
    run: { type: "string" },
    features: { type: "string" },
    skip: { type: "string" },
    report: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const allProfiles = ["GATEWAY-HTTP", "GATEWAY-TLS", "GATEWAY-GRPC", "GATEWAY-TCP", "GATEWAY-UDP"];
const range = { first: "127.90.0.1", last: "127.90.3.254", unusable: "127.91.0.1", usable: "127.90.3.250" };
const gatewayClass = "coxswain";

/** Set where this process runs in namespaces of its own, for real nodes. */
const inside = ownNamespaces();
const nodes = Number(values["real-nodes"] ?? 0);

/** Starts this program anew where it can make nodes, with all that needs Go built before. */
async function runWithNodes(): Promise<number> {
  const missing = missingForNodes({ containerd: "debian", nodes });
  if (missing.length > 0) {
    print(`missing: ${missing.join("; ")}. "npm run tool -- prepare nodes" brings what it can.`);
    return 2;
  }
  ensureSuite(print);
  ensureBackend(print);
  return runInOwnNamespaces();
}

async function run(): Promise<number> {
  const suite = ensureSuite(print);
  const folder = mkdtempSync(join(tmpdir(), "gateway-conformance-"));
  print(`data and logs: ${folder}`);
  const wanted = { folder, flags: ["--gateway-addresses", `${range.first}-${range.last}`], print };
  const server = inside
    ? await startWithContainers(wanted, { nodes, namespaces: inside })
    : await startSimulated(wanted);
  const stop = async (): Promise<void> => void (await server.stop());
  stopOnSignal(stop);
  try {
    const logFile = join(folder, "suite.log");
    const suiteProcess = startProcess({
      name: "the suite",
      command: suite,
      args: suiteFlags(),
      logFile,
      env: { ...process.env, KUBECONFIG: server.kubeconfig },
    });
    await suiteProcess.ended;
    const { lines, failed } = countResults(logFile);
    for (const line of lines) print(line);
    return failed === 0 ? 0 : 1;
  } finally {
    await stop();
  }
}

const suiteFlags = (): string[] => [
  "-test.v",
  "-test.timeout=60m",
  `--gateway-class=${gatewayClass}`,
  `--conformance-profiles=${(positionals.length > 0 ? positionals : allProfiles).join(",")}`,
  `--usable-address=${range.usable}`,
  `--unusable-address=${range.unusable}`,
  "--organization=coxswain-dev",
  "--project=coxswain",
  "--url=https://git.example.com/coxswain",
  "--version=0.1.0",
  "--contact=https://git.example.com/coxswain/issues",
  ...(values.run === undefined ? [] : [`--run-test=${values.run}`]),
  ...(values.features === undefined ? [] : [`--supported-features=${values.features}`]),
  ...(values.skip === undefined ? [] : [`--skip-tests=${values.skip}`]),
  ...(values.report === undefined ? [] : [`--report-output=${values.report}`]),
];

if (inside) endWithStarter();
if (values.help) print(usage);
else process.exitCode = nodes > 0 && !inside ? await runWithNodes() : await run();
