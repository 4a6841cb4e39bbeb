import { hostname } from "node:os";
import { kubernetesRelease } from "@coxswain/api/release";
import { type ConnectedClient, connect, loadConfig } from "@coxswain/client/node";
import { followPodNetwork, followPodRoutes } from "@coxswain/cluster";
import { formatHelp, type OptionsOf, parseOnlyFlags } from "@coxswain/component/flags";
import { addProcessMetrics, createMetrics, type MetricsRegistry } from "@coxswain/component/metrics";
import type { ProxyConfig } from "@coxswain/proxy";
import { childRuntime, type Runtime, systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { flagTexts } from "../../command/flag-texts.js";
import { loggerFrom } from "../../command/log-flags.js";
import { untilSignal } from "../../command/until-signal.js";
import { serverIsHealthy } from "../../component/cluster-connection.js";
import { readRealConfig } from "../../kubelet/real-config-file.js";
import { startRealNode } from "../../kubelet/start-real-node.js";
import { configFromDocument, configFromFile } from "../../proxy/proxy-settings.js";
import { startNodeProxy } from "../../proxy/start-node-proxy.js";
import { nodeRunFlags } from "./node-run-flags.js";

export type NodeRunOptions = OptionsOf<typeof nodeRunFlags>;

const description =
  "Makes this machine a node of a cluster, in the foreground: kubelet, service proxy and network policies in one process. Containers go on when it ends.";

export async function runNodeRun(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(nodeRunFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(formatHelp(nodeRunFlags, { usage: "coxswain node run [flags]", description }));
    return 0;
  }
  const { options } = parsed;
  const log = loggerFrom(options);
  const metrics = createMetrics();
  addProcessMetrics(metrics, systemClock);
  const ending = new AbortController();
  const ended = untilSignal().then(() => ending.abort());
  try {
    const node = await startNodeProcess(systemRuntime({ log, metrics }), { options, metrics, signal: ending.signal });
    if (node) process.stdout.write(`Node ${node.name} is registered, served on ${node.url}\n`);
    await ended;
    await node?.stop();
    return 0;
  } catch (error) {
    log.error("the node ends", { error });
    return 1;
  }
}

interface NodeProcess {
  readonly name: string;
  readonly url: string;
  stop(): Promise<void>;
}

/** Undefined: it was asked to end before it began. */
async function startNodeProcess(
  runtime: Runtime,
  { options, metrics, signal }: { options: NodeRunOptions; metrics: MetricsRegistry; signal: AbortSignal },
): Promise<NodeProcess | undefined> {
  const { containerRuntimeEndpoint: endpoint, config: file } = options;
  const config = readRealConfig({ file, directory: options.configDir, endpoint });
  if (!config) throw new Error("no container runtime is named"); // the flag has a default
  const proxyConfig = proxyConfigFrom(options);
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  const open = (kubeconfig: string | undefined, component: string): ConnectedClient => {
    const client = connect(loadConfig(kubeconfig === undefined ? {} : { path: kubeconfig }), {
      userAgent: `${component}/${kubernetesRelease.gitVersion}`,
      onWarning: () => {},
    });
    stops.push(() => client.close());
    return client;
  };
  try {
    const client = open(options.kubeconfig, "kubelet");
    await serverIsHealthy(client, systemClock, signal);
    if (signal.aborted) {
      await stop();
      return undefined;
    }
    // The proxy waits for the Node, so it begins first and both are ready sooner.
    const proxyClient = open(options.proxyKubeconfig ?? options.kubeconfig, "kube-proxy");
    const proxy = await startNodeProxy(childRuntime(runtime, { component: "proxy" }), {
      client: proxyClient,
      config: proxyConfig,
      masqueradePods: options.masqueradePods,
      networkPolicy: options.networkPolicy,
      metrics,
      flags: () => flagTexts(nodeRunFlags, options),
    });
    stops.push(() => proxy.stop());
    const nodeName = (options.hostnameOverride ?? hostname()).toLowerCase();
    const { cniConfDir: cniFolder, nodeNetwork } = options;
    for (const follow of [
      ...(cniFolder === undefined ? [] : [followPodNetwork(runtime, { client, nodeName, cniFolder })]),
      ...(nodeNetwork === undefined ? [] : [followPodRoutes(runtime, { client: proxyClient, nodeName, nodeNetwork })]),
    ])
      stops.push(() => follow.stop());
    const node = await startRealNode(options, config, {
      client,
      runtime: childRuntime(runtime, { component: "kubelet" }),
    });
    stops.push(() => node.stop());
    return { name: node.name, url: node.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The file's, or one for the network of pods; the node's name is the kubelet's. @throws FlagError */
function proxyConfigFrom({ proxyConfig, clusterCidr, hostnameOverride }: NodeRunOptions): ProxyConfig {
  const config =
    proxyConfig === undefined
      ? configFromDocument(clusterCidr === undefined ? {} : { clusterCIDR: clusterCidr })
      : configFromFile(proxyConfig);
  return hostnameOverride === undefined ? config : { ...config, hostnameOverride };
}
