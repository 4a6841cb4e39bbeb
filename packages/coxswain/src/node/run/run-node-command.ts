import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { kubernetesRelease } from "@coxswain/api/release";
import type { Client } from "@coxswain/client";
import { type ConnectedClient, connect, type IdentitySource, loadConfig } from "@coxswain/client/node";
import { followPodNetwork, followPodRoutes, linkWith, parseLinks, tunnelOverhead } from "@coxswain/cluster";
import { FlagError, formatHelp, type OptionsOf, parseOnlyFlags } from "@coxswain/component/flags";
import { addProcessMetrics, createMetrics, type MetricsRegistry } from "@coxswain/component/metrics";
import { runProgram } from "@coxswain/component/programs";
import { parseNetwork } from "@coxswain/machines";
import type { ProxyConfig } from "@coxswain/proxy";
import { childRuntime, type Runtime, systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { flagTexts } from "../../command/flag-texts.js";
import { loggerFrom } from "../../command/log-flags.js";
import { untilSignal } from "../../command/until-signal.js";
import { serverIsHealthy } from "../../component/cluster-connection.js";
import { identityFor } from "../../kubelet/certificates/identity-for.js";
import { nodeAddressesFrom } from "../../kubelet/node-specs.js";
import { readRealConfig } from "../../kubelet/real-config-file.js";
import { startRealNode } from "../../kubelet/start-real-node.js";
import { configFromDocument, configFromFile } from "../../proxy/proxy-settings.js";
import { startNodeProxy } from "../../proxy/start-node-proxy.js";
import { type FollowAuthorityOptions, followAuthority } from "./follow-authority.js";
import { nodeRunFlags } from "./node-run-flags.js";

export type NodeRunOptions = OptionsOf<typeof nodeRunFlags>;

/** Milliseconds after which replaced files of certificates count at the latest: an authority is replaced step by step, and none waits long. */
const certificatePeriodMs = 2000;

/** Of the interface to machines without a common link. */
export const tunnelName = "cxs-tunnel";

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
  const nodeName = (options.hostnameOverride ?? hostname()).toLowerCase();
  const open = (path: string | undefined, component: string, identity?: IdentitySource): ConnectedClient => {
    const client = connect(loadConfig(path === undefined ? {} : { path }), {
      userAgent: `${component}/${kubernetesRelease.gitVersion}`,
      onWarning: () => {},
      certificatePeriodMs,
      ...(identity && { identity }),
    });
    stops.push(() => client.close());
    return client;
  };
  try {
    const { kubeconfig: path } = options;
    const identity = identityFor(runtime, loadConfig(path === undefined ? {} : { path }), { config, nodeName });
    const client = open(path, "kubelet", identity);
    identity?.follow(client);
    if (identity) stops.push(() => identity.stop());
    await serverIsHealthy(client, systemClock, signal);
    if (signal.aborted) {
      await stop();
      return undefined;
    }
    // The proxy waits for the Node, so it begins first and both are ready sooner.
    const proxyClient = open(
      options.proxyKubeconfig ?? path,
      "kube-proxy",
      options.proxyKubeconfig === undefined ? identity : undefined,
    );
    const proxy =
      options.serviceProxy &&
      (await startNodeProxy(childRuntime(runtime, { component: "proxy" }), {
        client: proxyClient,
        config: proxyConfig,
        masqueradePods: options.masqueradePods,
        networkPolicy: options.networkPolicy,
        metrics,
        flags: () => flagTexts(nodeRunFlags, options),
      }));
    if (proxy) stops.push(() => proxy.stop());
    for (const follow of await followNetwork(runtime, options, { client, proxyClient, nodeName }))
      stops.push(() => follow.stop());
    const node = await startRealNode(options, config, {
      client,
      clientCertificate: identity,
      runtime: childRuntime(runtime, { component: "kubelet" }),
    });
    stops.push(() => node.stop());
    const authority = await followAuthorityOf(runtime, options, (file, current) => ({
      client,
      file,
      current,
      onBundle(bundle) {
        identity?.trusts(bundle);
        node.trusts(bundle);
      },
    }));
    stops.push(() => authority.stop());
    return { name: node.name, url: node.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Of a node that joined; those of `up` have files that it keeps itself. */
function followAuthorityOf(
  runtime: Runtime,
  { authorityFile: file }: NodeRunOptions,
  optionsOf: (file: string, current: string) => FollowAuthorityOptions,
): Promise<{ stop(): Promise<void> }> {
  if (file === undefined) return Promise.resolve({ stop: () => Promise.resolve() });
  return followAuthority(runtime, optionsOf(file, readFileSync(file, "utf8")));
}

/** The parts of the pod network that are this process' to keep. */
async function followNetwork(
  runtime: Runtime,
  { cniConfDir: cniFolder, nodeNetwork, podTunnel, nodeIp, machinesBehind }: NodeRunOptions,
  { client, proxyClient, nodeName }: { client: Client; proxyClient: Client; nodeName: string },
): Promise<{ stop(): Promise<void> }[]> {
  const [address] = nodeAddressesFrom(nodeIp);
  const hasTunnel = podTunnel !== undefined && address !== undefined;
  const mtu = hasTunnel ? (await linkMtu(runtime, address)) - tunnelOverhead : undefined;
  const routes = hasTunnel
    ? { links: [], tunnel: { name: tunnelName, id: podTunnel, address }, behind: parseBehind(machinesBehind) }
    : nodeNetwork.length === 0
      ? undefined
      : { links: nodeNetwork };
  // Tunnels carry IPv4: a pod must have no address that others cannot reach.
  const pods = { client, nodeName, mtu, isIpv4Only: hasTunnel };
  return [
    ...(cniFolder === undefined ? [] : [followPodNetwork(runtime, { ...pods, cniFolder })]),
    ...(routes ? [followPodRoutes(runtime, { client: proxyClient, nodeName, ...routes })] : []),
  ];
}

async function linkMtu({ ioClock }: Runtime, address: string): Promise<number> {
  const links = parseLinks(await runProgram(ioClock, ["ip", "-json", "-4", "address", "show"], ""));
  return linkWith(links, address)?.mtu ?? 1500;
}

/** @throws FlagError */
function parseBehind(text: string | undefined): { network: string; gateway: string } | undefined {
  if (text === undefined) return undefined;
  const [network = "", gateway = ""] = text.split("=", 2);
  if (!parseNetwork(network) || !parseNetwork(gateway))
    throw new FlagError(`--machines-behind must be network=address, not ${JSON.stringify(text)}`);
  return { network, gateway };
}

/** The file's, or one for the network of pods; the node's name is the kubelet's. @throws FlagError */
function proxyConfigFrom({ proxyConfig, clusterCidr, hostnameOverride }: NodeRunOptions): ProxyConfig {
  const config =
    proxyConfig === undefined
      ? configFromDocument(clusterCidr === undefined ? {} : { clusterCIDR: clusterCidr })
      : configFromFile(proxyConfig);
  return hostnameOverride === undefined ? config : { ...config, hostnameOverride };
}
