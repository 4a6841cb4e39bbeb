// npm run tool -- kubelet-bench: see `usage`.
import { mkdtempSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  endWithStarter,
  missingForNodes,
  type OwnNamespaces,
  oneNode,
  ownNamespaces,
  runInOwnNamespaces,
  startNodesCluster,
} from "../nodes/index.js";
import { openApi } from "../proxy-bench/api.js";
import { stopOnSignal } from "../upstream/index.js";
import { type KubeletFigures, measureKubelet } from "./measure-kubelet.js";
import { report } from "./report.js";
import { watchPods } from "./watch-pods.js";

const usage = `npm run tool -- kubelet-bench [flags]
Ours and upstream's kubelet, one after the other, each on a node of its own over containerd 2.4 under our API server, in namespaces of
their own (root; "npm run tool -- prepare nodes"): how long pods take to start, memory and processor time at rest with them, many pods
at once with the delay of our event loop. Look at ratios: the machine's other work is in the figures.
  --pods N      that rest on the node (default 30)
  --burst N     that start at once (default 100)
  --rest N      seconds of rest that are measured (default 60)
  --only WHOSE  ours or upstream
`;
/** Begins the line with the figures of a run. */
const mark = "figures:";
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const { values: options } = parseArgs({
  options: {
    pods: { type: "string", default: "30" },
    burst: { type: "string", default: "100" },
    rest: { type: "string", default: "60" },
    only: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

async function measure(kubelet: "ours" | "upstream", namespaces: OwnNamespaces): Promise<KubeletFigures> {
  const folder = mkdtempSync(join(tmpdir(), "kubelet-bench-"));
  print(`${kubelet}: data and logs in ${folder}`);
  const loopFolder = kubelet === "ours" ? folder : undefined;
  if (loopFolder !== undefined) {
    process.env["COXSWAIN_LOOP_DELAY"] = loopFolder;
    process.env["NODE_OPTIONS"] = `--import=${new URL("event-loop-delay.js", import.meta.url).href}`;
  }
  const cluster = await startNodesCluster({ parts: oneNode(kubelet), folder, namespaces, coxswain: undefined, print });
  delete process.env["NODE_OPTIONS"];
  stopOnSignal(() => cluster.stop());
  const [node] = cluster.nodes;
  if (!node) throw new Error("there is no node");
  const [api, watch] = [openApi(cluster.kubeconfig), watchPods(cluster.kubeconfig)];
  try {
    const work = measureKubelet({
      api,
      watch,
      nodeName: node.name,
      pid: () => node.kubelet.pid,
      pods: Number(options.pods),
      burst: Number(options.burst),
      restSeconds: Number(options.rest),
      loopFolder,
      print,
    });
    const result = await Promise.race([work, cluster.broken]);
    if (typeof result === "string") throw new Error(result);
    return result;
  } finally {
    watch.close();
    api.close();
    await cluster.stop();
  }
}

/** In namespaces of its own, since machines have the same names and addresses each time. */
async function measureApart(whose: "ours" | "upstream"): Promise<KubeletFigures | undefined> {
  let found: KubeletFigures | undefined;
  const onOutput = (text: string): void => {
    process.stdout.write(text);
    const figures = new RegExp(`^${mark} (.*)$`, "m").exec(text)?.[1];
    if (figures !== undefined) found = JSON.parse(figures) as KubeletFigures;
  };
  const self = [process.execPath, ...process.execArgv, ...process.argv.slice(1), `--only=${whose}`];
  await runInOwnNamespaces(self, { onOutput });
  return found;
}

async function compare(): Promise<number> {
  print(
    `load of the machine: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}`,
  );
  const upstream = options.only === "ours" ? undefined : await measureApart("upstream");
  const ours = options.only === "upstream" ? undefined : await measureApart("ours");
  if (ours && upstream) for (const line of report(ours, upstream)) print(line);
  return ours || upstream ? 0 : 1;
}

const inside = ownNamespaces();
if (options.help) print(usage);
else if (inside !== undefined) {
  endWithStarter();
  print(`${mark} ${JSON.stringify(await measure(options.only === "ours" ? "ours" : "upstream", inside))}`);
} else {
  const missing = missingForNodes(oneNode(options.only === "ours" ? "ours" : "upstream"));
  if (missing.length === 0) process.exitCode = await compare();
  else {
    print(`missing: ${missing.join("; ")}. "npm run tool -- prepare nodes" brings what it can.`);
    process.exitCode = 2;
  }
}
