import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { connect, loadConfig } from "@coxswain/client/node";
import { defineFlags, FlagError, formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { runProgram } from "@coxswain/component/programs";
import { clearNode } from "@coxswain/kubelet";
import { cniFile, podBridge, removeRoutes } from "@coxswain/machines";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { logFlags, loggerFrom } from "../command/log-flags.js";
import { readRealConfig } from "../kubelet/real-config-file.js";
import { tunnelName } from "../node/run/run-node-command.js";
import { joinFlags } from "./join-flags.js";
import { type NodeRunFacts, nodePlaces } from "./plan-node-flags.js";

const flags = defineFlags({ "data-dir": joinFlags["data-dir"], ...logFlags, help: joinFlags.help });

const description =
  "Takes back what coxswain join made on this machine: pods with their volumes, routes, rules, credentials. The node's process must have ended.";

export async function runLeave(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(flags, args);
  if (parsed.kind === "help") {
    process.stdout.write(formatHelp(flags, { usage: "coxswain leave [flags]", description }));
    return 0;
  }
  const { dataDir } = parsed.options;
  const joined = readJoined(dataDir);
  if (await isServed(10_248))
    throw new FlagError(`node ${joined.nodeName} runs: end it first (systemctl stop, or Ctrl-C where it runs)`);
  const runtime = systemRuntime({ log: loggerFrom(parsed.options) });
  await clearPods(runtime, joined);
  if (joined.network) await clearNetwork(runtime, joined);
  await clearRules(runtime);
  const places = nodePlaces(dataDir);
  for (const path of [join(dataDir, "pki"), places.kubeconfig, places.config, places.authority, places.state])
    await rm(path, { recursive: true, force: true });
  process.stdout.write(
    `this machine has left. Its node is still known: kubectl drain --ignore-daemonsets --force ${joined.nodeName}; kubectl delete node ${joined.nodeName}\n`,
  );
  return 0;
}

/** @throws FlagError where the machine has not joined */
function readJoined(dataDir: string): NodeRunFacts {
  const { state } = nodePlaces(dataDir);
  try {
    return JSON.parse(readFileSync(state, "utf8")) as NodeRunFacts;
  } catch (error) {
    throw new FlagError(`this machine has not joined a cluster: ${(error as Error).message}`);
  }
}

const isServed = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectSocket(port, "127.0.0.1");
    const end = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", end(true)).once("error", end(false));
  });

/** The cluster need not answer: what runs is known by its labels. */
async function clearPods(runtime: Runtime, { dataDir, nodeName, nodeIp, endpoint }: NodeRunFacts): Promise<void> {
  const { kubeconfig, config: file } = nodePlaces(dataDir);
  const config = readRealConfig({ file, directory: undefined, endpoint });
  if (!config) throw new Error("no container runtime is named"); // join wrote one
  const client = connect(loadConfig({ path: kubeconfig }), { onWarning: () => {} });
  try {
    const spec = { name: nodeName, address: nodeIp };
    await clearNode({ client, spec, config, endpoint, rootDir: "/var/lib/kubelet", kubeletPort: 10_250, runtime });
  } finally {
    await client.close();
  }
}

async function clearNetwork({ ioClock }: Runtime, { network, cniFolder }: NodeRunFacts): Promise<void> {
  await rm(join(cniFolder, cniFile), { force: true });
  for (const name of [tunnelName, podBridge])
    await runProgram(ioClock, ["ip", "link", "delete", name], "").catch(() => {}); // it was not made: there was no pod, or no peer
  for (const one of [network?.pods, network?.nodes]) if (one !== undefined) await removeRoutes(one, ioClock);
}

/** Of proxy, policies and masquerading. A table that is added first can be deleted whether it was there or not. */
const tables = ["ip coxswain-proxy", "ip6 coxswain-proxy", "inet coxswain-policy", "inet coxswain-masquerade"];

async function clearRules({ ioClock }: Runtime): Promise<void> {
  const input = tables.map((table) => `add table ${table}\ndelete table ${table}\n`).join("");
  await runProgram(ioClock, ["nft", "-f", "-"], input);
}
