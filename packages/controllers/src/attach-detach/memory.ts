import type { WorldMemory } from "./world.js";

/** What no object has: since when a volume is to be detached, what was reported, and what nodes that are gone had mounted. */
export interface AttachMemory extends WorldMemory {
  /** From now on these nodes are to lose the volume, and no others. Those that were asked for before keep their time. */
  keepDetachRequests(name: string, nodes: readonly string[], nowMs: number): void;
  /** Whether pods have not yet got the event that another node has the volume. */
  isBlockNew(name: string, node: string): boolean;
  forgetBlocked(name: string, isBlocked: (node: string) => boolean): void;
  isFailureNew(name: string, node: string, version: string): boolean;
  /** The first time that a deadline is named, it has not passed. */
  isTimeoutNew(name: string, node: string, atMs: number): boolean;
  nodeWent(node: string, volumesInUse: readonly string[]): void;
  nodeCame(node: string): void;
  /** The volume is gone. */
  forget(name: string): void;
}

interface Remembered {
  readonly detachRequested: Map<string, number>;
  readonly blocked: Set<string>;
  readonly failures: Map<string, string>;
  readonly timeouts: Map<string, number>;
}

/** Nodes that went are remembered for as many as this; of others it is assumed that they used everything. */
const rememberedNodes = 1000;

export function createAttachMemory(): AttachMemory {
  const byVolume = new Map<string, Remembered>();
  const lastInUse = new Map<string, readonly string[]>();
  const of = (name: string): Remembered => {
    let known = byVolume.get(name);
    if (!known) {
      known = { detachRequested: new Map(), blocked: new Set(), failures: new Map(), timeouts: new Map() };
      byVolume.set(name, known);
    }
    return known;
  };
  return {
    detachRequestedMs: (name, node) => byVolume.get(name)?.detachRequested.get(node),
    wasInUse: (name, node) => lastInUse.get(node)?.includes(name),
    keepDetachRequests(name, nodes, nowMs) {
      const { detachRequested } = of(name);
      for (const node of detachRequested.keys()) if (!nodes.includes(node)) detachRequested.delete(node);
      for (const node of nodes) if (!detachRequested.has(node)) detachRequested.set(node, nowMs);
    },
    isBlockNew(name, node) {
      const { blocked } = of(name);
      const isNew = !blocked.has(node);
      blocked.add(node);
      return isNew;
    },
    forgetBlocked(name, isBlocked) {
      const { blocked } = of(name);
      for (const node of blocked) if (!isBlocked(node)) blocked.delete(node);
    },
    isFailureNew(name, node, version) {
      const { failures } = of(name);
      const isNew = failures.get(node) !== version;
      failures.set(node, version);
      return isNew;
    },
    isTimeoutNew(name, node, atMs) {
      const { timeouts } = of(name);
      const before = timeouts.get(node);
      timeouts.set(node, atMs);
      return before !== undefined && before !== atMs;
    },
    nodeWent(node, volumesInUse) {
      lastInUse.set(node, volumesInUse);
      if (lastInUse.size <= rememberedNodes) return;
      for (const oldest of lastInUse.keys()) {
        lastInUse.delete(oldest);
        break;
      }
    },
    nodeCame: (node) => void lastInUse.delete(node),
    forget: (name) => void byVolume.delete(name),
  };
}
