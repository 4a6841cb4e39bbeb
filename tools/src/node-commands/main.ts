// npm run tool -- node-commands: see `usage`.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findKubectl } from "../clients/index.js";
import {
  endWithStarter,
  missingForNodes,
  type OwnNamespaces,
  oneNode,
  ownNamespaces,
  runInOwnNamespaces,
  startNodesCluster,
  type Whose,
} from "../nodes/index.js";
import { ensureProgram, stopOnSignal } from "../upstream/index.js";
import { type Printed, runRows } from "./run-rows.js";

const usage = `npm run tool -- node-commands [flags]

What people type about containers (exec, attach, logs, port-forward, cp, debug, run) with kubectl 1.31 and 1.36, on a node with upstream's
kubelet and on one with ours, both with our control plane and containerd 2.4 (root; "npm run tool -- prepare nodes"). What is printed,
errors and exit codes must be equal but for times and identities.

  --only REGEXP      only rows whose name fits
  --coxswain FILE    launcher of another build of ours (default: the one in this checkout)
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    coxswain: { type: "string" },
    /** Set in the namespaces: whose kubelet it is, and where to write what was printed. */
    kubelet: { type: "string" },
    output: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

async function runSide(namespaces: OwnNamespaces, kubelet: Whose, output: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "node-commands-"));
  print(`data and logs of the side with the kubelet of ${kubelet}: ${folder}`);
  const cluster = await startNodesCluster({
    parts: oneNode(kubelet),
    folder,
    namespaces,
    coxswain: options.coxswain,
    print,
  });
  stopOnSignal(() => cluster.stop());
  try {
    const kubectls = new Map([["1.36", await ensureProgram("kubectl")]]);
    const older = findKubectl("1.31");
    if (older === undefined) print("*** NOT COMPARED: kubectl 1.31 is not there (COXSWAIN_KUBECTL_DIR) ***");
    else kubectls.set("1.31", older);
    const work = runRows({
      kubectls,
      kubeconfig: cluster.kubeconfig,
      node: cluster.nodes[0]?.name ?? "",
      only: options.only === undefined ? undefined : new RegExp(options.only),
      print,
    });
    const result = await Promise.race([work, cluster.broken]);
    if (typeof result === "string") throw new Error(result);
    writeFileSync(output, JSON.stringify(result));
  } finally {
    await cluster.stop();
  }
}

/** Each side in namespaces of its own, one after the other. */
async function compare(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "node-commands-"));
  const sides: Printed[] = [];
  for (const kubelet of ["upstream", "ours"] as const) {
    const output = join(folder, `${kubelet}.json`);
    const self = [process.execPath, ...process.argv.slice(1), `--kubelet=${kubelet}`, `--output=${output}`];
    const code = await runInOwnNamespaces(self);
    if (code !== 0) return code;
    sides.push(JSON.parse(readFileSync(output, "utf8")) as Printed);
  }
  const [upstream = {}, ours = {}] = sides;
  const different = Object.keys(upstream).filter((name) => upstream[name] !== ours[name]);
  for (const name of different) print(`\n${name}\n=== upstream's kubelet\n${upstream[name]}=== ours\n${ours[name]}`);
  print(
    `\n${Object.keys(upstream).length} commands, ${different.length} printed something else; all of it in ${folder}`,
  );
  return different.length === 0 ? 0 : 1;
}

const inside = ownNamespaces();
if (options.help) print(usage);
else if (inside !== undefined && options.output !== undefined) {
  endWithStarter();
  await runSide(inside, options.kubelet === "upstream" ? "upstream" : "ours", options.output);
} else {
  const missing = missingForNodes(oneNode("upstream"));
  if (missing.length > 0) print(`missing: ${missing.join("; ")}. "npm run tool -- prepare nodes" brings what it can.`);
  process.exitCode = missing.length > 0 ? 2 : await compare();
}
