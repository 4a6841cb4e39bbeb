// npm run tool -- up-kills: see `usage`.
import { parseArgs } from "node:util";
import { runProgram } from "../clients/index.js";
import { endWithStarter, missingForContainers, ownNamespaces, runInOwnNamespaces } from "../nodes/index.js";
import { planUpKill } from "./plan-up-kills.js";
import { runUpKill } from "./run-up-kill.js";

const usage = `npm run tool -- up-kills [flags]

\`coxswain up --runtime containerd\` in namespaces of its own (root, Debian's containerd): while it starts, runs or stops, it and programs of
its nodes are killed by SIGKILL. Then \`up\` must work, and after \`reset\` the machine must be as before: links, addresses, routes, rules of
nftables, mounts, control groups, settings, processes and files are compared.

  --seeds FROM-TO    which moments and victims (default 1-30)
  --nodes N          (default 2)
  --coxswain FILE    launcher of another build of ours (default: the one in this checkout)
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const { values: options } = parseArgs({
  options: {
    seeds: { type: "string", default: "1-30" },
    nodes: { type: "string", default: "2" },
    coxswain: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

async function run(): Promise<number> {
  const [from = 1, to = from] = options.seeds.split("-").map(Number);
  await runProgram("ip", ["link", "set", "lo", "up"]); // as on every machine
  let failed = 0;
  for (let seed = from; seed <= to; seed++) {
    const kill = planUpKill(seed);
    print(`seed ${seed}: ${kill.moment}, ${kill.victim} after ${kill.afterMs} ms`);
    const problems = await runUpKill({ kill, nodes: Number(options.nodes), launcher: options.coxswain, print });
    for (const problem of problems) print(`  ${problem}`);
    if (problems.length > 0) failed++;
  }
  print(`${to - from + 1} seeds: ${failed} with problems`);
  return failed === 0 ? 0 : 1;
}

if (options.help) print(usage);
else if (ownNamespaces() !== undefined) {
  endWithStarter();
  process.exitCode = await run();
} else {
  const missing = missingForContainers();
  if (missing === undefined) process.exitCode = await runInOwnNamespaces();
  else {
    print(`missing: ${missing}`);
    process.exitCode = 2;
  }
}
