// npm run tool -- node-kills: see `usage`.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { eventually } from "../churn/eventually.js";
import {
  endWithStarter,
  missingForNodes,
  type NodeParts,
  type OwnNamespaces,
  ownNamespaces,
  runInOwnNamespaces,
  startNodesCluster,
} from "../nodes/index.js";
import { openApi } from "../proxy-bench/api.js";
import { ensureProgram, stopOnSignal } from "../upstream/index.js";
import { createRemainsReader } from "./read-remains.js";
import { runSeeds } from "./run-seeds.js";

const usage = `npm run tool -- node-kills [flags]

One node with containers, in namespaces of its own (root; "npm run tool -- prepare nodes"): pods are deleted and created without end
while kubelet, containerd or both are killed by SIGKILL and started again. Containers of pods that stay must keep their ID and the time
of their start, and no mount, control group, network namespace, address, sandbox, shim, snapshot or file may belong to no pod. What
containerd has made and does not know of any more, since it was killed before it wrote that down, is listed and no failure: no call of CRI
reaches it.

  --seeds FROM-TO    which churn (default 1-20)
  --pods N           at once (default 50)
  --kubelet WHOSE    ours (default) or upstream
  --containerd V     2.4 (default) or debian
  --coxswain FILE    launcher of another build of ours (default: the one in this checkout)
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const partsOf = ({ kubelet, containerd }: { readonly kubelet: string; readonly containerd: string }): NodeParts => ({
  apiserver: "ours",
  controllers: "ours",
  scheduler: "ours",
  kubelet: kubelet === "upstream" ? "upstream" : "ours",
  proxy: "none",
  dns: "none",
  containerd: containerd === "debian" ? "debian" : "2.4",
  nodes: 1,
});

async function run(namespaces: OwnNamespaces): Promise<number> {
  const { seeds: range, pods, coxswain } = options;
  const [from = 1, to = from] = range.split("-").map(Number);
  const folder = mkdtempSync(join(tmpdir(), "node-kills-"));
  print(`data and logs: ${folder}`);
  const cluster = await startNodesCluster({
    parts: partsOf(options),
    folder,
    namespaces,
    coxswain,
    print,
  });
  stopOnSignal(() => cluster.stop());
  const [node] = cluster.nodes;
  if (!node) throw new Error("there is no node");
  const api = openApi(cluster.kubeconfig);
  const ctr = options.containerd === "debian" ? "/usr/bin/ctr" : await ensureProgram("ctr");
  try {
    const seeds = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    await eventually(async () => {
      const found = await api.send("GET", "/api/v1/namespaces/default/serviceaccounts/default").catch(() => undefined);
      return found === undefined ? "the service account default is not there" : undefined;
    });
    const image = "registry.k8s.io/e2e-test-images/busybox:1.37.0-1";
    const work = runSeeds({
      image,
      seeds,
      pods: Number(pods),
      api,
      node,
      remains: createRemainsReader({ ...node, ctr }),
      print,
    });
    const result = await Promise.race([work, cluster.broken]);
    if (typeof result === "string") throw new Error(result);
    const { problems, forgotten } = result;
    print(
      `${seeds.length} seeds: ${problems.length} problems; ${forgotten.length} things that the runtime has forgotten`,
    );
    return problems.length === 0 ? 0 : 1;
  } finally {
    api.close();
    await cluster.stop();
  }
}

const { values: options } = parseArgs({
  options: {
    seeds: { type: "string", default: "1-20" },
    pods: { type: "string", default: "50" },
    kubelet: { type: "string", default: "ours" },
    containerd: { type: "string", default: "2.4" },
    coxswain: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const inside = ownNamespaces();
if (options.help) print(usage);
else if (inside !== undefined) {
  endWithStarter();
  process.exitCode = await run(inside);
} else {
  const missing = missingForNodes(partsOf(options));
  if (missing.length === 0) process.exitCode = await runInOwnNamespaces();
  else {
    print(`missing: ${missing.join("; ")}. "npm run tool -- prepare nodes" brings what it can.`);
    process.exitCode = 2;
  }
}
