// npm run tool -- proxy-compare: see `usage`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureProgram } from "../upstream/index.js";
import { type Asked, answersOf, origins } from "./answers.js";
import { generateService } from "./generate-service.js";
import { serveProxy } from "./serve-proxy.js";
import { openTestNetwork, type TestNetwork } from "./test-network.js";

const usage = `npm run tool -- proxy-compare [flags]

Generated services and endpoints (types, policies, readiness, hints, affinity, source ranges) on kube-proxy in nftables mode and on
coxswain proxy, each on a node of its own in network namespaces. From two pods, the node and outside, the same connections are tried on
both: who answers, with which source, refused or dropped. Needs root.

  --seeds N    how many services (default 200)
  --first N    the first seed (default 1)
`;

const { values: options } = parseArgs({
  options: {
    seeds: { type: "string", default: "200" },
    first: { type: "string", default: "1" },
    serve: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const services = Array.from({ length: Number(options.seeds) }, (_, at) => generateService(Number(options.first) + at));

/** A busy machine drops packets of its own: a difference counts that is there each time. */
const rounds = 5;

if (options.help) process.stdout.write(usage);
else if (options.serve !== undefined) await serveProxy(options.serve === "ours" ? "ours" : [options.serve], services);
else process.exitCode = await compare();

async function compare(): Promise<number> {
  const sides = await Promise.all([openSide(await ensureProgram("kube-proxy")), openSide("ours")]);
  try {
    const asked = origins.flatMap((origin) =>
      services.flatMap((service) => service.targets.map((target) => ({ origin, service, target }))),
    );
    let left = asked;
    for (let round = 1; round <= rounds && left.length > 0; round++) {
      const [upstream = [], ours = []] = await Promise.all(sides.map(({ network }) => answersOf(network, left)));
      const different = left.flatMap((one, at) => (upstream[at]?.join() === ours[at]?.join() ? [] : [{ one, at }]));
      if (round === 1) print(`on kube-proxy: ${outcomes(upstream)}`);
      if (round === rounds) for (const { one, at } of different) report(one, upstream[at] ?? [], ours[at] ?? []);
      left = different.map(({ one }) => one);
    }
    print(`${services.length} services, ${asked.length} questions, ${left.length} answered differently`);
    return left.length === 0 ? 0 : 1;
  } finally {
    for (const side of sides) await side.stop();
  }
}

/** How many were answered by a backend, refused, dropped or all that. */
function outcomes(answers: readonly (readonly string[])[]): string {
  const counts = new Map<string, number>();
  for (const all of answers) {
    const kinds = new Set(all.map((one) => (one === "refused" || one === "dropped" ? one : "answered")));
    const kind = [...kinds].sort().join(" or ");
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function report({ origin, service, target }: Asked, upstream: readonly string[], ours: readonly string[]): void {
  const what = `from ${origin} to ${target.address}:${target.port}/${service.protocol} (${service.name})`;
  print(`${what}: kube-proxy ${upstream.join(" | ")}; ours ${ours.join(" | ")}`);
}

/** A network with one of the proxies on its node. */
async function openSide(whose: string): Promise<{ readonly network: TestNetwork; stop(): Promise<void> }> {
  const network = await openTestNetwork();
  const [program = "", ...args] = [
    ...network.node.enter,
    process.execPath,
    fileURLToPath(import.meta.url),
    ...process.argv.slice(2),
    `--serve=${whose}`,
  ];
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await Promise.race([
    once(child.stdout, "data"),
    ended.then(() => Promise.reject(new Error("the proxy did not start"))),
  ]);
  return {
    network,
    async stop() {
      child.stdin.end();
      await ended;
      network.stop();
    },
  };
}
