import { ports } from "../control-plane/ports.js";
import type { FaultKind } from "./plan-faults.js";

export interface Neighbours {
  /** Addresses of the other machines. */
  readonly others: readonly string[];
  /** The address that clients have. */
  readonly clients: string;
}

/** What is added to the rules of `reset-server` later on: a segment to etcd is answered by a reset. */
export const resetRule = `out tcp dport ${ports.etcd} reject with tcp reset`;

/** Pure: rules of nftables in the machine's namespace, each with the chain (`in`, `out`) that it belongs to. */
export function packetRules(kind: FaultKind, { others, clients }: Neighbours): readonly string[] {
  const set = `{ ${others.join(", ")} }`;
  const [from, to] = [`in ip saddr ${set}`, `out ip daddr ${set}`];
  switch (kind) {
    case "cut-machine":
      return [`${from} drop`, `${to} drop`];
    case "deaf-machine":
      return [`${from} drop`];
    case "mute-machine":
      return [`${to} drop`];
    case "loss":
      return [`${from} numgen random mod 4 < 1 drop`];
    case "cut-member":
      return [from, to].flatMap((way) => [
        `${way} tcp dport ${ports.peer} drop`,
        `${way} tcp sport ${ports.peer} drop`,
      ]);
    // The server's connections are those that go out to etcd's port; other servers' come in to it.
    case "cut-server":
      return [`out tcp dport ${ports.etcd} drop`, `in tcp sport ${ports.etcd} drop`];
    case "reset-server":
      return [`in tcp sport ${ports.etcd} tcp flags & rst != rst drop`];
    case "deaf-server":
      return [`in tcp sport ${ports.etcd} drop`];
    case "cut-clients":
      return [
        `in ip saddr ${clients} tcp dport ${ports.server} drop`,
        `out ip daddr ${clients} tcp sport ${ports.server} drop`,
      ];
    default:
      return [];
  }
}
