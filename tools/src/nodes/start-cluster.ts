import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startRegistry } from "../images/index.js";
import { networks, nodeName, ports } from "./addresses.js";
import { imagesFolder } from "./node-files.js";
import type { NodeParts } from "./node-parts.js";
import type { OwnNamespaces } from "./own-namespaces.js";
import { performSteps } from "./perform-steps.js";
import { planBridge, planRoutes } from "./plan-machine.js";
import { createRunning } from "./running.js";
import { type ControlPlane, startControlPlane } from "./start-control-plane.js";
import { startDns } from "./start-dns.js";
import { type StartedNode, startNode } from "./start-node.js";

export interface NodesClusterOptions {
  readonly parts: NodeParts;
  /** Receives certificates, data and logs; must exist. */
  readonly folder: string;
  readonly namespaces: OwnNamespaces;
  /** The launcher of another build of ours. */
  readonly coxswain: string | undefined;
  readonly print: (line: string) => void;
}

export interface NodesCluster {
  readonly kubeconfig: string;
  readonly nodes: readonly StartedNode[];
  readonly broken: Promise<string>;
  stop(): Promise<void>;
}

/**
 * A cluster whose nodes run containers, in namespaces of this process' own: bridge, registry, control plane, nodes and, unless there
 * is to be none, DNS. Resolves when all nodes are ready.
 */
export async function startNodesCluster(options: NodesClusterOptions): Promise<NodesCluster> {
  const { parts, folder, namespaces, print, coxswain: launcher } = options;
  const running = createRunning(folder);
  try {
    await performSteps(planBridge());
    const registry = { folder: imagesFolder(), address: networks.bridge, port: ports.registry };
    running.add("the registry", await startRegistry(registry));
    const plane = await startControlPlane({ parts, folder, launcher, running });
    print(`the control plane is ready: ${parts.apiserver}`);
    const machines = join(folder, "machines");
    await namespaces.undo.add({ kind: "folder", path: machines });
    const nodes: StartedNode[] = [];
    for (let index = 1; index <= parts.nodes; index++) {
      const machine = join(machines, nodeName(index));
      await mkdir(machine, { recursive: true });
      const node = await startNode({
        index,
        parts,
        plane,
        logs: folder,
        folder: machine,
        namespaces,
        launcher,
        running,
      });
      await performSteps(
        planRoutes(
          node,
          nodes.map(({ holder }) => holder),
        ),
      );
      for (const other of nodes) await performSteps(planRoutes(other, [node.holder]));
      nodes.push(node);
    }
    if (parts.dns !== "none") await startDns({ whose: parts.dns, plane, folder, launcher, running });
    await Promise.race([nodesReady(plane, parts.nodes), running.failed]);
    print(`${parts.nodes} ${parts.nodes === 1 ? "node is" : "nodes are"} ready`);
    return { kubeconfig: plane.kubeconfig, nodes, broken: running.broken, stop: () => running.stop() };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function nodesReady({ kubectl }: ControlPlane, count: number): Promise<void> {
  const path = "{range .items[*]}{.status.conditions[?(@.type=='Ready')].status}{' '}{end}";
  for (let attempt = 0; attempt < 200; attempt++) {
    const statuses = await kubectl(["get", "nodes", `--output=jsonpath=${path}`]);
    if (statuses.split(" ").filter((status) => status === "True").length === count) return;
    await sleep(500);
  }
  throw new Error(`the nodes were not ready in time:\n${await kubectl(["describe", "nodes"])}`);
}
