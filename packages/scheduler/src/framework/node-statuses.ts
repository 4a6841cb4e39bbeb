import type { NodeInfo } from "../cache/node-info.js";
import type { Snapshot } from "../cache/snapshot.js";
import type { Status, StatusCode } from "./status.js";
import { unresolvable } from "./status.js";

/** Why nodes were refused, by their names, and why all those are that are not named. */
export interface NodeStatuses {
  set(node: string, status: Status): void;
  get(node: string): Status;
  setAbsent(status: Status): void;
  readonly absent: Status;
  /** How many are named. */
  readonly size: number;
  each(visit: (node: string, status: Status) => void): void;
  /** The nodes refused with this code. */
  nodesWith(snapshot: Snapshot, code: StatusCode): NodeInfo[];
}

const untried = unresolvable("");

export function createNodeStatuses(): NodeStatuses {
  const statuses = new Map<string, Status>();
  let absent = untried;
  const self: NodeStatuses = {
    set: (node, status) => void statuses.set(node, status),
    get: (node) => statuses.get(node) ?? absent,
    setAbsent: (status) => void (absent = status),
    get absent() {
      return absent;
    },
    get size() {
      return statuses.size;
    },
    each(visit) {
      for (const [node, status] of statuses) visit(node, status);
    },
    nodesWith(snapshot, code) {
      if (absent.code === code) return snapshot.nodes.filter((info) => self.get(info.name).code === code);
      const found: NodeInfo[] = [];
      for (const [node, status] of statuses) {
        const info = status.code === code ? snapshot.get(node) : undefined;
        if (info) found.push(info);
      }
      return found;
    },
  };
  return self;
}
