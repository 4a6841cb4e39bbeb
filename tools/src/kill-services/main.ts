// npm run tool -- kill-services: see `usage`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Namespace, openTestNetwork } from "../proxy-compare/test-network.js";
import { killServices } from "./kill-services.js";

const usage = `npm run tool -- kill-services [flags]

Kills coxswain proxy and coxswain dns with SIGKILL, at moments that the seed chooses, while services and endpoints change, on a node with
two pods and a client in network namespaces. Connections through services that are open all the time must stay open; after each restart
every service must lead to its endpoints and every name to its service; at the end the table must equal that of a proxy that was never
killed, and --cleanup must leave nothing. Needs root.

  --rounds N     how often (default 50)
  --seed N       (default 1)
  --services N   that change (default 40)
`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    services: { type: "string", default: "40" },
    inside: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** The processes that hold the namespaces of two pods and a client. */
type Places = Readonly<Record<"a" | "b" | "client", number>>;
const namespaceOf = (pid: number): Namespace => ({ pid, enter: ["nsenter", "-t", String(pid), "-n"] });

/** The same program on the node: the API server, the proxy and the DNS server are its children there. */
async function enter(): Promise<number> {
  const network = await openTestNetwork();
  const places: Places = { a: network.a.pid, b: network.b.pid, client: network.client.pid };
  const [program = "", ...args] = [
    ...network.node.enter,
    process.execPath,
    fileURLToPath(import.meta.url),
    ...process.argv.slice(2),
    `--inside=${JSON.stringify(places)}`,
  ];
  try {
    const [code] = (await once(spawn(program, args, { stdio: "inherit" }), "exit")) as [number | null];
    return code ?? 1;
  } finally {
    network.stop();
  }
}

async function run(places: Places): Promise<number> {
  const problems = await killServices({
    rounds: Number(options.rounds),
    seed: Number(options.seed),
    services: Number(options.services),
    a: namespaceOf(places.a),
    b: namespaceOf(places.b),
    client: namespaceOf(places.client),
    print,
  });
  for (const problem of problems) print(`FAILED: ${problem}`);
  return problems.length === 0 ? 0 : 1;
}

if (options.help) print(usage);
else process.exitCode = options.inside === undefined ? await enter() : await run(JSON.parse(options.inside) as Places);
