import { dirname } from "node:path";
import type { Client } from "@coxswain/client";
import { waitFor } from "@coxswain/client/wait";
import { followPodRoutes, type PodRoutesOptions } from "@coxswain/cluster";
import { machinePlaces, nodeNetworks, type RunningMachine, startMachine } from "@coxswain/machines";
import type { Runtime } from "@coxswain/runtime";
import { runEvery } from "@coxswain/runtime/wait";
import type { Report } from "../report.js";
import { type NodeFilesOptions, writeNodeFiles } from "./node-files.js";
import type { OpenMachines } from "./open-machines.js";

export interface RealNodesOptions extends OpenMachines, NodeFilesOptions {
  readonly site: OpenMachines["site"];
  /** An administrator's, in this process. */
  readonly client: Client;
  /** Called after each change of the authority. */
  onRenewed(listener: () => void): void;
  readonly count: number;
  /** `name-1`, `name-2`, … */
  readonly namePrefix: string;
  /** Of this machine, for machines that join; undefined: none can. */
  readonly address: string | undefined;
  readonly report: Report;
}

/** The machine of a real node, for commands of other processes. */
export interface NodeMachine {
  readonly name: string;
  /** Of the process that holds its namespaces. */
  readonly holder: number;
}

export interface RealNodes {
  readonly machines: readonly NodeMachine[];
  /** Ends them, pods with at most two seconds, and takes their machines apart; volumes and images stay. */
  stop(): Promise<void>;
}

/** Milliseconds that pods have to end when the cluster stops. */
const podGraceMs = 2000;

/** Resolves when all nodes are ready. */
export async function startRealNodes(runtime: Runtime, options: RealNodesOptions): Promise<RealNodes> {
  const { site, client, report, count } = options;
  const machines: RunningMachine[] = [];
  const names = Array.from({ length: count }, (_, at) => `${options.namePrefix}-${at + 1}`);
  const routes = followPodRoutes(runtime, { client, nodeName: undefined, ...podRoutes(options) });
  const renewing = followNodeFiles(runtime, options, names);
  const stop = async (): Promise<void> => {
    renewing.stop();
    await routes.stop();
    await Promise.all(machines.map((machine) => machine.stop(podGraceMs)));
    await site.remove();
  };
  const begunAt = runtime.clock.now();
  try {
    await Promise.all(
      names.map(async (name, at) => {
        machines.push(await startNode(runtime, options, { name, index: at + 1 }));
        report.progress(`machines, ${machines.length} of ${count}`);
      }),
    );
    report.done(`${count === 1 ? "machine" : "machines"} of ${list(names)}`);
    report.begin("nodes");
    for (const [at, name] of names.entries()) {
      report.progress(`nodes, ${at} of ${count} ready`);
      await waitFor(client.core.v1.nodes(), name, (node) =>
        (node?.status?.conditions ?? []).some(
          // Of a node that was there before, what its last kubelet reported does not count; stamps have seconds.
          ({ type, status, lastHeartbeatTime = "" }) =>
            type === "Ready" && status === "True" && Date.parse(lastHeartbeatTime) >= begunAt - 1000,
        ),
      );
    }
    report.done(`${count === 1 ? "node" : "nodes"} ${list(names)}`);
    const holders = machines.map(({ name, holder }) => ({ name, holder }));
    return { machines: holders, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What is due is renewed within this time, in milliseconds. */
const renewEveryMs = 86_400_000;

/** Certificates of nodes are renewed before they end, and when the authority is replaced. */
function followNodeFiles(runtime: Runtime, options: RealNodesOptions, names: readonly string[]): { stop(): void } {
  const ending = new AbortController();
  const renew = (): void => {
    if (ending.signal.aborted) return;
    for (const [at, name] of names.entries())
      writeNodeFiles(runtime, options, { name, places: machinePlaces(options.site, { name, index: at + 1 }) });
  };
  options.onRenewed(renew);
  const { ioClock: clock, log } = runtime;
  const onError = (error: unknown): void => log.warn("certificates of nodes could not be renewed", { error });
  void runEvery(renew, { intervalMs: renewEveryMs, clock, signal: ending.signal, onError });
  return { stop: () => ending.abort() };
}

/** Machines that join are reached, too, where they can be. */
const podRoutes = ({ site, address }: RealNodesOptions): Pick<PodRoutesOptions, "links" | "tunnel"> => ({
  links: nodeNetworks(site.networks),
  tunnel: address === undefined ? undefined : { name: site.tunnel.name, id: site.tunnel.id, address },
});

/** Of many the first and the last. */
const list = (names: readonly string[]): string =>
  names.length > 5 ? `${names[0]} to ${names.at(-1)}` : names.join(", ");

async function startNode(
  runtime: Runtime,
  options: RealNodesOptions,
  { name, index }: { readonly name: string; readonly index: number },
): Promise<RunningMachine> {
  const { site } = options;
  const launcher = process.argv[1] ?? "";
  const places = machinePlaces(site, { name, index });
  const files = writeNodeFiles(runtime, options, { name, places });
  const machine = await startMachine(runtime, site, {
    index,
    name,
    keep: [dirname(process.execPath), dirname(dirname(launcher))],
    containerd: options.containerd,
  });
  machine.run("node", [
    process.execPath,
    ...process.execArgv,
    launcher,
    "node",
    "run",
    ...files,
    `--hostname-override=${name}`,
    `--node-ip=${[places.address, places.ipv6Address ?? []].flat().join(",")}`,
    `--container-runtime-endpoint=${machine.endpoint}`,
    `--cni-conf-dir=${places.cniFolder}`,
    `--node-network=${nodeNetworks(site.networks).join(",")}`,
  ]);
  return machine;
}
