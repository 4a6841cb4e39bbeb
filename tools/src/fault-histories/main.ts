// npm run tool -- fault-histories: see `usage`.
import { parseArgs } from "node:util";
import { endWithStarter, ownNamespaces, runInOwnNamespaces } from "../nodes/index.js";
import { ensureProgram } from "../upstream/index.js";
import { runRolling } from "./rolling/run-rolling.js";
import { runSeeds } from "./run-seeds.js";

const usage = `npm run tool -- fault-histories [flags]

Three members of etcd and three API servers, each pair on a machine of its own (network namespaces without a way out; root), and clients
that create, replace, patch, apply, delete, read, list and watch a few objects through all three servers while machines are cut off, lose
packets, and processes are paused or killed, as the seed draws it. What every client saw is compared with what etcd committed: writes
and reads are linearizable, lists are the state at their revision, watches have no gap and nothing invented.

  --seeds FIRST-LAST    (default 1-50)
  --rolling             instead: every API server replaced by another build, one by one, under our own clients behind "coxswain balance":
                        at first stopped by SIGTERM, then back again, killed by SIGKILL
  --coxswain FILE       launcher of another build of the API servers (default: the one in this checkout)
  --keep                keep histories and logs, also when all is well
`;

const { values: options } = parseArgs({
  options: {
    seeds: { type: "string", default: "1-50" },
    rolling: { type: "boolean", default: false },
    coxswain: { type: "string" },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (options.help) process.stdout.write(usage);
else if (ownNamespaces() === undefined) {
  await ensureProgram("etcd"); // out here: inside there is no network to build it from
  process.exitCode = await runInOwnNamespaces();
} else {
  endWithStarter();
  process.exit(await (options.rolling ? runRolling(options) : run()));
}

function run(): Promise<number> {
  const [first = 1, last = first] = options.seeds.split("-").map(Number);
  return runSeeds({ first, last, launcher: options.coxswain, keep: options.keep });
}
