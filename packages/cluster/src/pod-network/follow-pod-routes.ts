import type { Node } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import { createSharedInformer } from "@coxswain/client/informers";
import { runProgram } from "@coxswain/component/programs";
import { routeProtocol as protocol } from "@coxswain/machines";
import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import { isLinked, type PodRoute, parseRoutes, planPodRoutes, planRouteChanges } from "./plan-pod-routes.js";
import {
  type Link,
  linkWith,
  parseLinks,
  parsePeers,
  planPeers,
  planTunnel,
  planTunnelAddress,
} from "./plan-tunnel.js";

export interface PodRoutesOptions {
  /** May list and watch nodes. */
  readonly client: Client;
  /** The node that the routes are for; undefined: a machine that is no node. */
  readonly nodeName: string | undefined;
  /** Machines are reached directly that have an address in these networks, or in that of the tunnel's address. */
  readonly links: readonly string[];
  /**
   * By which machines without a common link reach each other; undefined: they do not. Other links of a machine do not count: whom it
   * reaches by one of them knows it by its one address, and packets that come and go by different ways are dropped (rp_filter).
   */
  readonly tunnel?: TunnelOptions | undefined;
  /** Machines that are not reached by themselves, but through another one. */
  readonly behind?: { readonly network: string; readonly gateway: string } | undefined;
}

export interface TunnelOptions {
  readonly name: string;
  readonly id: number;
  /** Of this machine. */
  readonly address: string;
}

/** Milliseconds until routes that could not be written are tried again. */
const retryMs = 5000;

/** Keeps this machine's routes to the pods of other nodes, until it is stopped; the routes stay then. */
export function followPodRoutes(runtime: Runtime, options: PodRoutesOptions): { stop(): Promise<void> } {
  const { log, ioClock: clock } = runtime;
  const nodes = createSharedInformer<Node>({ listerWatcher: options.client.core.v1.nodes(), runtime });
  const state = { isWanted: false, isStopped: false };
  let running: Promise<void> | undefined;
  let retry: Timer | undefined;

  async function run(): Promise<void> {
    while (state.isWanted && !state.isStopped) {
      state.isWanted = false;
      await writeRoutes(runtime, nodes.indexer.list(), options).catch((error: unknown) => {
        log.warn("routes to pods cannot be written and are tried again", { error });
        retry?.cancel();
        retry = clock.setTimer(retryMs, wake);
      });
    }
    running = undefined;
  }
  const wake = (): void => {
    state.isWanted = true;
    if (!state.isStopped) running ??= run();
  };
  nodes.addHandler({ onAdd: wake, onUpdate: wake, onDelete: wake });
  nodes.start();
  return {
    async stop() {
      state.isStopped = true;
      retry?.cancel();
      await nodes.stop();
      await running;
    },
  };
}

type Nodes = Parameters<typeof planPodRoutes>[0];

async function writeRoutes(runtime: Runtime, nodes: Nodes, options: PodRoutesOptions): Promise<void> {
  await writeIpv4Routes(runtime, nodes, options);
  if (options.links.some((link) => link.includes(":"))) await writeIpv6Routes(runtime, nodes, options);
}

/** On a common link alone. */
async function writeIpv6Routes({ ioClock: clock }: Runtime, nodes: Nodes, options: PodRoutesOptions): Promise<void> {
  const run = (...command: string[]): Promise<string> => runProgram(clock, command, "");
  const { nodeName, links } = options;
  const wanted = planPodRoutes(nodes, { family: "IPv6", nodeName, links, hasTunnel: false });
  // Another cluster on this machine has routes of the same kind, on links of its own.
  const there = parseRoutes(await run("ip", "-6", "route", "show", "proto", protocol), "").filter(({ via }) =>
    isLinked(via, { links }),
  );
  const { write, remove } = planRouteChanges(there, wanted);
  for (const network of remove) await run("ip", "-6", "route", "delete", network, "proto", protocol);
  for (const { network, via } of write)
    await run("ip", "-6", "route", "replace", network, "via", via, "proto", protocol);
}

async function writeIpv4Routes({ ioClock: clock }: Runtime, nodes: Nodes, options: PodRoutesOptions): Promise<void> {
  const run = (...command: string[]): Promise<string> => runProgram(clock, command, "");
  const { nodeName, tunnel, behind } = options;
  const found = parseLinks(await run("ip", "-json", "-4", "address", "show"));
  const own = tunnel && linkWith(found, tunnel.address);
  const links = own ? [...options.links, own.network] : options.links;
  const wanted = planPodRoutes(nodes, { family: "IPv4", nodeName, links, hasTunnel: tunnel !== undefined, behind });
  const peers = [...new Set(wanted.flatMap(({ via, isTunnelled }) => (isTunnelled ? [via] : [])))];
  if (tunnel) await writePeers(run, { tunnel, peers, found, podNetwork: podNetworkOf(nodes, nodeName) });
  const isOurs = ({ via, isTunnelled }: PodRoute): boolean => isTunnelled || isLinked(via, { links });
  const there = parseRoutes(await run("ip", "-4", "route", "show", "proto", protocol), tunnel?.name ?? "").filter(
    isOurs,
  );
  const { write, remove } = planRouteChanges(there, wanted);
  for (const network of remove) await run("ip", "-4", "route", "delete", network, "proto", protocol);
  for (const { network, via, isTunnelled } of write) {
    const device = isTunnelled && tunnel ? ["dev", tunnel.name, "onlink"] : [];
    await run("ip", "-4", "route", "replace", network, "via", via, "proto", protocol, ...device);
  }
}

const podNetworkOf = (nodes: Nodes, nodeName: string | undefined): string | undefined =>
  nodes.find(({ metadata }) => metadata?.name === nodeName)?.spec?.podCIDRs?.find((one) => !one.includes(":"));

interface PeerFacts {
  readonly tunnel: TunnelOptions;
  readonly peers: readonly string[];
  readonly found: readonly Link[];
  readonly podNetwork: string | undefined;
}

/** The interface is made when there is the first peer. */
async function writePeers(
  run: (...command: string[]) => Promise<string>,
  { tunnel, peers, found, podNetwork }: PeerFacts,
): Promise<void> {
  const isThere = (await run("ip", "-o", "link", "show")).includes(`: ${tunnel.name}:`);
  if (!isThere && peers.length === 0) return;
  if (!isThere) {
    const linkMtu = linkWith(found, tunnel.address)?.mtu ?? 1500;
    for (const command of planTunnel({ ...tunnel, linkMtu })) await run(...command);
  }
  const shown = await run("ip", "-o", "-4", "address", "show", "dev", tunnel.name);
  for (const command of planTunnelAddress(tunnel.name, shown, podNetwork)) await run(...command);
  const there = parsePeers(await run("ip", "-4", "neighbor", "show", "dev", tunnel.name, "nud", "permanent"));
  for (const command of planPeers(tunnel.name, there, peers)) await run(...command);
}
