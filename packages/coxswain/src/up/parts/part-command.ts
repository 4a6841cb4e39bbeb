import { connect } from "node:net";
import { recordWork } from "@coxswain/client/work";
import {
  clusterFeatureGates,
  createPartClients,
  type PartClients,
  serveNodes,
  startControl,
  startSimulatedNodes,
} from "@coxswain/cluster";
import { summarizeRepeats } from "@coxswain/component/log";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { noActivity } from "@coxswain/runtime/activity";
import { systemClock } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import { socketAddress } from "@coxswain/storage/socket";
import { boundHeapGrowth } from "../../command/heap-growth.js";
import { loggerFrom } from "../../command/log-flags.js";
import { readSchedulerConfig } from "../../scheduler/scheduler-config-file.js";
import { controlSettings, type SigningKeys } from "../control-settings.js";
import { simulatedSettings, volumesOf } from "../simulated-settings.js";
import { insideNetwork } from "./inside-network.js";
import { jsonLine, onJsonLines } from "./json-lines.js";
import type { ControlPlan, NodesPlan, ParentMessage, PartLog, PartMessage, PartPlan } from "./part-plan.js";

/** Only those that run count here. */
const keptWorks = 100;
/** Where the API server is gone, nothing that a part still wants to write is answered. */
const stopMs = 5_000;

interface Part {
  readonly controllers: readonly string[];
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

/** `coxswain part`: a part of a cluster that `coxswain up` splits. What it is to do is read from standard input, at whose end it ends. */
export async function runPart(): Promise<number> {
  // Ctrl-C and systemd signal the whole group: the parent decides when its parts end.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  const parent = listenToParent();
  const plan = await parent.plan;
  if (!plan) {
    process.stderr.write('coxswain part: "coxswain up" starts it\n');
    return 2;
  }
  const log = logOf(plan.log);
  const works = recordWork({ clock: systemClock, revision: () => 0, most: keptWorks });
  const runtime = systemRuntime({ log, activity: { ...noActivity, trace: works } });
  const clients = createPartClients({ socket: socketAddress(plan.socket).path, token: plan.token, runtime, works });
  try {
    const part =
      plan.part === "nodes"
        ? await startNodes(plan, runtime, clients)
        : startController(plan, runtime, { clients, parent });
    boundHeapGrowth(systemClock);
    await Promise.race([part.ready, parent.ended]);
    send({ kind: "ready", controllers: part.controllers });
    await parent.ended;
    systemClock.setTimer(stopMs, () => process.exit(0));
    await part.stop();
    await clients.close();
    return 0;
  } catch (error) {
    log.error(`the part "${plan.part}" cannot begin`, { error });
    return 1;
  }
}

const send = (message: PartMessage): void => void process.stdout.write(jsonLine(message));

const logOf = ({ summarized, ...options }: PartLog): Logger =>
  summarized ? summarizeRepeats(loggerFrom(options), systemClock) : loggerFrom(options);

interface Parent {
  /** Undefined: there is none. */
  readonly plan: Promise<PartPlan | undefined>;
  /** Resolves when it wants this process to end, or has ended itself. */
  readonly ended: Promise<void>;
  onRenewed(listener: (authority: SigningKeys) => void): void;
}

function listenToParent(): Parent {
  const { stdin } = process;
  const listeners: ((authority: SigningKeys) => void)[] = [];
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) stdin.once(event, () => resolve());
  });
  let isFirst = true;
  const plan = new Promise<PartPlan | undefined>((resolve) => {
    onJsonLines(stdin, (value) => {
      if (isFirst) {
        isFirst = false;
        return resolve(value as PartPlan);
      }
      const { authority } = value as ParentMessage;
      for (const listener of listeners) listener(authority);
    });
    void ended.then(() => resolve(undefined));
  });
  return { plan, ended, onRenewed: (listener) => void listeners.push(listener) };
}

async function startNodes(plan: NodesPlan, runtime: Runtime, { clientOf }: PartClients): Promise<Part> {
  const { specs, settings } = simulatedSettings(plan.simulation);
  const { apiServer, serviceCidrs, served } = plan;
  const simulated = startSimulatedNodes({
    runtime,
    clientOf,
    dnsClientOf: clientOf,
    network: (connections) => insideNetwork(connections, serviceCidrs),
    nodes: specs,
    nodeSettings: {
      ...settings,
      ...volumesOf(plan.volumesDirectory, runtime),
      onOwned: (cidr) => send({ kind: "owned", cidr }),
    },
    connectToApiServer: () => connect(apiServer),
  });
  const { connections, usage, ready } = simulated.nodes;
  const server = await serveNodes({ path: socketAddress(served.socket).path, token: served.token, connections, usage });
  return {
    controllers: [],
    ready,
    async stop() {
      await simulated.stop();
      await server.stop();
    },
  };
}

function startController(
  plan: ControlPlan,
  runtime: Runtime,
  { clients: { clientOf }, parent }: { readonly clients: PartClients; readonly parent: Parent },
): Part {
  const featureGates = clusterFeatureGates(new Map(plan.featureGates));
  const renewed: (() => void)[] = [];
  let { authority } = plan;
  parent.onRenewed((now) => {
    authority = now;
    for (const listener of renewed) listener();
  });
  const keys = {
    serviceAccountKey: plan.serviceAccountKey,
    authority: () => authority,
    onRenewed: (listener: () => void) => void renewed.push(listener),
  };
  const scheduler = readSchedulerConfig(plan.schedulerConfig, featureGates);
  return startControl({ runtime, clientOf, ...controlSettings(plan.control, keys, { scheduler, featureGates }) });
}
