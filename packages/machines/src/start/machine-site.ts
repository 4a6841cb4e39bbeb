import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "@coxswain/component/programs";
import type { Runtime } from "@coxswain/runtime";
import { addressIn, networksOfRoutes, networksOverlap, parseNetwork } from "../networks/ipv4-network.js";
import { ipv6AddressIn, planIpv6Networks, prefixLengthOf } from "../networks/ipv6-networks.js";
import { type CgroupHierarchies, findHierarchies } from "../plan/cgroup-hierarchies.js";
import { chooseNetworks, type MachineNetworks, nodesIn } from "../plan/choose-networks.js";
import { type BridgeFacts, forwardingFiles, planBridge } from "../plan/plan-bridge.js";
import { planCgroup, processesFile } from "../plan/plan-cgroup.js";
import { performSteps } from "../steps/perform-steps.js";
import type { Step } from "../steps/step.js";
import { type UndoLog, undoLogAt } from "../undo/undo-log.js";

/** Begins the names of all interfaces that are made here; an interface has at most 15 characters. */
export const linkPrefix = "cxs-";

export interface SiteOptions {
  /** Of the cluster: everything that its machines write is below it. */
  readonly folder: string;
  /** Networks that were asked for; the others are chosen. */
  readonly networks: Partial<MachineNetworks>;
  /** Whether machines, pods and services have IPv6 networks, too; a cluster that began with them keeps them. @default false */
  readonly isDualStack?: boolean;
  /** Networks that are used inside of the machines alone, such as that of services. */
  readonly otherNetworks: readonly string[];
  /** How many nodes need a network for their pods. */
  readonly nodeCount: number;
}

/** What the machines of one cluster share on this one: a bridge, a control group, an undo log. */
export interface MachineSite {
  /** A short name that no other cluster of this machine has. */
  readonly id: string;
  readonly folder: string;
  readonly networks: MachineNetworks;
  readonly bridge: string;
  /** Of the bridge: there the control plane is reached. */
  readonly gateway: string;
  /** Between this machine and others that share no link with it; made when there is one. */
  readonly tunnel: { readonly name: string; readonly id: number };
  readonly hierarchies: CgroupHierarchies;
  /** The group of all machines, at the root of each hierarchy. */
  readonly cgroup: string;
  /** Programs of machines enter their group by this file. */
  readonly programs: string;
  perform(steps: readonly Step[]): Promise<void>;
  /** Ends all processes of the machines and takes everything back. */
  remove(): Promise<void>;
}

/** Folder of machines in a cluster's folder; volumes and images stay in it. */
export const machinesFolder = (folder: string): string => join(folder, "machines");

const siteUndoLog = (runtime: Runtime, folder: string): UndoLog =>
  undoLogAt(join(machinesFolder(folder), "undo.jsonl"), { clock: runtime.ioClock });

/** Takes back what machines of a cluster left that was killed. Answers whether there was anything. */
export const cleanSite = (runtime: Runtime, folder: string): Promise<boolean> => siteUndoLog(runtime, folder).undoAll();

/** Names that a cluster's folder gives, and no other folder does. */
export const siteId = (folder: string): string => createHash("sha256").update(folder).digest("hex").slice(0, 6);

/** The group of all machines of a cluster, at the root of each hierarchy. */
export const siteCgroup = (folder: string): string => `coxswain-${siteId(folder)}`;

/** Makes what machines share, after it has taken back what a killed process left. */
export async function openSite(runtime: Runtime, options: SiteOptions): Promise<MachineSite> {
  const { folder } = options;
  const clock = runtime.ioClock;
  await cleanSite(runtime, folder);
  const networks = await findNetworks(runtime, options);
  const id = siteId(folder);
  const cgroup = siteCgroup(folder);
  const hierarchies = findHierarchies(await readFile("/proc/mounts", "utf8"));
  const undo = siteUndoLog(runtime, folder);
  const perform = (steps: readonly Step[]): Promise<void> =>
    performSteps(steps, { clock, beforehand: (one) => undo.add(one) });
  const bridge = `${linkPrefix}${id}`;
  const gateway = addressIn(networks.nodes, 1);
  const tunnel = { name: `${bridge}-t`, id: Number.parseInt(id, 16) || 1 };
  try {
    await undo.add({ kind: "link", name: tunnel.name });
    await undo.add({ kind: "routes", network: networks.pods });
    await perform([
      ...planBridge({
        name: bridge,
        address: gateway,
        prefixLength: parseNetwork(networks.nodes)?.prefixLength ?? 24,
        isForwarding: await isForwarding("IPv4"),
        namePrefix: linkPrefix,
        masquerade: [networks.nodes, networks.pods],
        table: cgroup,
        ...(await ipv6Of(networks)),
      }),
      // Last, so that their processes end before anything else is taken back.
      ...planCgroup({ hierarchies, path: cgroup, isTop: true }),
      ...planCgroup({ hierarchies, path: `${cgroup}/programs`, isTop: false }),
    ]);
  } catch (error) {
    await undo.undoAll();
    throw error;
  }
  return {
    id,
    folder,
    networks,
    bridge,
    gateway,
    tunnel,
    hierarchies,
    cgroup,
    programs: processesFile(hierarchies, `${cgroup}/programs`),
    perform,
    remove: async () => void (await undo.undoAll()),
  };
}

const isForwarding = async (family: keyof typeof forwardingFiles): Promise<boolean> =>
  (await readFile(forwardingFiles[family], "utf8")).trim() === "1";

async function ipv6Of({ ipv6 }: MachineNetworks): Promise<Pick<BridgeFacts, "ipv6">> {
  if (!ipv6) return {};
  return {
    ipv6: {
      address: ipv6AddressIn(ipv6.nodes, 1),
      prefixLength: prefixLengthOf(ipv6.nodes),
      isForwarding: await isForwarding("IPv6"),
      masquerade: [ipv6.nodes, ipv6.pods],
    },
  };
}

/** Those of the last start, so that nodes keep their addresses; else free ones. @throws Error where those are taken by others */
async function findNetworks(
  runtime: Runtime,
  { folder, networks: asked, otherNetworks, nodeCount, isDualStack = false }: SiteOptions,
): Promise<MachineNetworks> {
  const file = join(machinesFolder(folder), "networks.json");
  const routes = networksOfRoutes(
    await runProgram(runtime.ioClock, ["ip", "-4", "route", "show", "table", "main"], ""),
  );
  const last = await readFile(file, "utf8").then(
    (text) => JSON.parse(text) as MachineNetworks,
    () => undefined,
  );
  // The networks of a node's pods are never changed.
  if (isDualStack && last && !last.ipv6)
    throw new Error("this cluster began with IPv4 alone: --dual-stack is for a new one (coxswain reset, or --name)");
  const ipv6 = isDualStack ? { ipv6: last?.ipv6 ?? planIpv6Networks(siteId(folder)) } : {};
  const networks = chooseNetworks([...routes, ...otherNetworks], { ...last, ...asked, ...ipv6 }, nodeCount);
  if (nodesIn(networks.pods) < nodeCount)
    throw new Error(
      `the network ${networks.pods} has pod networks for ${nodesIn(networks.pods)} nodes, and there are ${nodeCount}: name a larger one by --pod-network`,
    );
  for (const network of [networks.nodes, networks.pods]) {
    const other = [...routes, ...otherNetworks].find((one) => networksOverlap(one, network));
    if (other !== undefined)
      throw new Error(
        `the network ${network} of this cluster overlaps ${other}, which this machine has a route to: name others by --node-network and --pod-network`,
      );
  }
  await performSteps(
    [
      { kind: "directory", path: machinesFolder(folder) },
      { kind: "file", path: file, content: `${JSON.stringify(networks)}\n` },
    ],
    { clock: runtime.ioClock },
  );
  return networks;
}
