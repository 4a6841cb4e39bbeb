import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { cordonNode, drainNode } from "@coxswain/client/drain";
import { connect, loadKubeconfig } from "@coxswain/client/node";
import { FlagError, nearest, parseFlags } from "@coxswain/component/flags";
import { type MachineState, machineAnnotation } from "@coxswain/kubelet";
import type { Command } from "../command/command.js";
import { clusterCommandFlags, showHelp } from "../up/cluster-command.js";
import { clusterFolder } from "../up/cluster-home.js";
import { isRunning, readState } from "../up/cluster-state.js";
import { notRunning } from "../up/not-running.js";

type Action = (client: Client, node: string) => Promise<string>;

const setMachine =
  (state: MachineState, done: string): Action =>
  async (client, node) => {
    if (await isReal(client, node))
      throw new FlagError(`node ${node} is a real machine: only simulated ones are turned off and cut off from here`);
    const annotations = { [machineAnnotation]: state === "on" ? null : state };
    await client.core.v1.nodes().patch(node, { merge: { metadata: { annotations } } as never });
    return done;
  };

/** Simulated nodes name a runtime of their own; Stages may give a node none. */
async function isReal(client: Client, node: string): Promise<boolean> {
  const { status } = await client.core.v1.nodes().get(node);
  const runtime = status?.nodeInfo?.containerRuntimeVersion ?? "";
  return runtime !== "" && !runtime.startsWith("simulated://");
}

/** By the defaults of `coxswain up`: the last heartbeat is up to 10 s old, and the controller waits for 50 s after it. */
const unnoticed = "NotReady in 40 to 50 seconds, its pods are evicted five minutes later";

const actions: Readonly<Record<string, { readonly summary: string; readonly act: Action }>> = {
  kill: { summary: "turns the machine off: what ran on it is gone", act: setMachine("off", `killed; ${unnoticed}`) },
  partition: {
    summary: "cuts the node off from the API server: what runs on it goes on",
    act: setMachine("unreachable", `partitioned; ${unnoticed}`),
  },
  recover: { summary: "ends kill, partition and drain", act: recover },
  drain: { summary: "lets no new pods on the node and evicts those that are there", act: drain },
};

async function recover(client: Client, node: string): Promise<string> {
  await cordonNode(client, node, false);
  if (await isReal(client, node)) return "uncordoned";
  return setMachine("on", "recovered")(client, node);
}

/** As kubectl drain with --ignore-daemonsets, --delete-emptydir-data and --force. */
async function drain(client: Client, node: string): Promise<string> {
  const { evicted } = await drainNode(client, {
    node,
    force: true,
    ignoreDaemonSets: true,
    deleteEmptyDirData: true,
  });
  return `drained, ${evicted} pods evicted`;
}

/** Commands about the machine that they run on, each with flags of its own. */
const ownMachine: Readonly<Record<string, { readonly summary: string; load(): Promise<Command["run"]> }>> = {
  run: {
    summary: "makes this machine a node: kubelet, service proxy and network policies in one process",
    load: async () => (await import("./run/run-node-command.js")).runNodeRun,
  },
  check: {
    summary: "names what real nodes need and this machine lacks",
    load: async () => (await import("./check-command.js")).runNodeCheck,
  },
};

const list = (rows: Readonly<Record<string, { readonly summary: string }>>): string =>
  Object.entries(rows)
    .map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`)
    .join("\n");

const description = `Makes simulated nodes fail and recover: coxswain node COMMAND NAME…

${list(actions)}

Makes this machine a node: coxswain node COMMAND [flags]

${list(ownMachine)}`;

export async function runNode(args: readonly string[]): Promise<number> {
  const own = Object.hasOwn(ownMachine, args[0] ?? "") ? ownMachine[args[0] ?? ""] : undefined;
  if (own) return (await own.load())(args.slice(1));
  const parsed = parseFlags(clusterCommandFlags, args);
  if (parsed.kind === "help") return showHelp("node COMMAND NAME…", description);
  const [command = "", ...names] = parsed.rest;
  const action = Object.hasOwn(actions, command) ? actions[command] : undefined;
  if (!action) {
    const meant = nearest(command, [...Object.keys(actions), ...Object.keys(ownMachine)]);
    throw new FlagError(
      `there is no "coxswain node ${command}". ${meant ? `Did you mean ${meant}?` : 'Try "coxswain node --help".'}`,
    );
  }
  if (names.length === 0) throw new FlagError(`which node? coxswain node ${command} NAME…`);
  const state = readState(clusterFolder(parsed.options));
  if (!state || !isRunning(state)) {
    process.stderr.write(notRunning(parsed.options));
    return 1;
  }
  const client = connect(loadKubeconfig({ path: state.kubeconfig }));
  try {
    for (const node of names) process.stdout.write(`node/${node} ${await action.act(client, node)}\n`);
    return 0;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  } finally {
    await client.close();
  }
}
