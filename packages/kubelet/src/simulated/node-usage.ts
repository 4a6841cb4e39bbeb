import type { Node } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn } from "@coxswain/apimachinery/own";
import { quantityValue } from "@coxswain/apimachinery/quantity";
import { rulePrefix } from "../objects/rule-prefix.js";
import type { ContainerStats, NodeStats } from "../runtime/container-runtime.js";

/** Linux's default on machines with many processors. */
const maxProcesses = 4_194_304;
/** As mkfs.ext4 makes file systems. */
const bytesPerInode = 16_384;

/** Rules of a node: what it uses beside its pods. */
export const nodeRuleNames = ["memory", "ephemeral-storage", "inodes", "processes"] as const;

export interface NodeUsageFacts {
  readonly node: DeepReadonly<Node> | undefined;
  /** Of containers whose rules state what they use. */
  readonly stated: readonly ContainerStats[];
  readonly imageBytes: number;
}

/**
 * Pure: what a simulated node has left. Only usage that a rule states counts: what is derived from requests would fill a node
 * whose pods request all of it, and evict them.
 */
export function planNodeUsage({ node, stated, imageBytes }: NodeUsageFacts): NodeStats {
  const capacity = (resource: string): number => amountOf(getOwn(node?.status?.capacity, resource));
  const rule = (name: (typeof nodeRuleNames)[number]): number =>
    amountOf(getOwn(node?.metadata?.annotations, rulePrefix + name));
  const sum = (of: (stats: ContainerStats) => number): number => stated.reduce((all, stats) => all + of(stats), 0);
  const memory = capacity("memory");
  const podBytes = sum(({ memoryBytes }) => memoryBytes);
  const disk = capacity("ephemeral-storage");
  const inodes = Math.floor(disk / bytesPerInode);
  return {
    memory: { capacityBytes: memory, availableBytes: Math.max(0, memory - podBytes - rule("memory")), podBytes },
    nodeFs: {
      capacityBytes: disk,
      availableBytes: Math.max(
        0,
        disk - imageBytes - sum(({ storageBytes }) => storageBytes) - rule("ephemeral-storage"),
      ),
      inodes,
      inodesFree: Math.max(0, inodes - sum((stats) => stats.inodes) - rule("inodes")),
    },
    processes: { max: maxProcesses, running: sum(({ processes }) => processes) + rule("processes") },
  };
}

function amountOf(text: string | undefined): number {
  try {
    return text === undefined ? 0 : quantityValue(text);
  } catch {
    return 0; // no quantity
  }
}
