import type { PlannedListener } from "../plan/planned-listener.js";

/** A socket that is listened on, and what is served there. */
export interface WantedPort {
  readonly address: string;
  readonly port: number;
  readonly listeners: readonly PlannedListener[];
}

/** Where listeners are: the address of their owner, and their port as a socket's. */
export interface Placement {
  addressOf(owner: string): string;
  portOf(listener: PlannedListener): number;
}

export interface GroupedPorts {
  readonly ports: readonly WantedPort[];
  /** Listeners whose port is another owner's with another protocol. */
  readonly refused: readonly PlannedListener[];
}

/**
 * Pure: listeners by socket. Owners that share an address share its ports: routes of equal hostnames are of one table. Where their protocols
 * differ, the earlier one has the port.
 */
export function groupPorts(listeners: readonly PlannedListener[], { addressOf, portOf }: Placement): GroupedPorts {
  const ports = new Map<string, { address: string; port: number; byHost: Map<string, PlannedListener> }>();
  const refused: PlannedListener[] = [];
  for (const listener of listeners) {
    const [address, port] = [addressOf(listener.owner), portOf(listener)];
    const key = `${address} ${port}`;
    const there = ports.get(key) ?? { address, port, byHost: new Map<string, PlannedListener>() };
    ports.set(key, there);
    const [first] = there.byHost.values();
    if (first && first.protocol !== listener.protocol) {
      refused.push(listener);
      continue;
    }
    const same = there.byHost.get(listener.hostname);
    there.byHost.set(listener.hostname, same ? merge(same, listener) : listener);
  }
  return {
    ports: [...ports.values()].map(({ address, port, byHost }) => ({ address, port, listeners: [...byHost.values()] })),
    refused,
  };
}

const merge = (first: PlannedListener, second: PlannedListener): PlannedListener => ({
  ...first,
  certificates: [...first.certificates, ...second.certificates],
  entries: [...first.entries, ...second.entries],
});
