import type { EnginePort, HttpListener, RedirectPorts, TlsListener } from "../engine/engine.js";
import type { HttpService, ListenerService, PlannedListener, StreamService } from "../plan/planned-listener.js";

/** Where listeners are: the addresses of their owner, and their port as a socket's. */
export interface Placement {
  addressesOf(owner: string): readonly string[];
  portOf(listener: PlannedListener): number;
  readonly redirectPorts: RedirectPorts;
}

export interface GroupedPorts {
  readonly ports: readonly EnginePort[];
  /** Listeners whose port is another owner's with another protocol. */
  readonly refused: readonly PlannedListener[];
}

interface Group {
  readonly address: string;
  readonly port: number;
  readonly byHost: Map<string, PlannedListener>;
}

/**
 * Pure: listeners by socket. Owners that share an address share its ports: routes of equal hostnames are of one table. Where their protocols
 * differ, the earlier one has the port.
 */
export function groupPorts(listeners: readonly PlannedListener[], placement: Placement): GroupedPorts {
  const groups = new Map<string, Group>();
  const refused = new Set<PlannedListener>();
  for (const listener of listeners)
    for (const address of placement.addressesOf(listener.owner)) {
      const port = placement.portOf(listener);
      const key = `${address} ${port} ${listener.service.kind === "udp" ? "udp" : "tcp"}`;
      const group = groups.get(key) ?? { address, port, byHost: new Map<string, PlannedListener>() };
      if (!addListener(group, listener)) refused.add(listener);
      groups.set(key, group);
    }
  return {
    ports: [...groups.values()].flatMap((group) => portOfGroup(group, placement.redirectPorts) ?? []),
    refused: [...refused],
  };
}

/** Whether the listener may be there, too. */
function addListener({ byHost }: Group, listener: PlannedListener): boolean {
  const [first] = byHost.values();
  if (first && familyOf(first.service) !== familyOf(listener.service)) return false;
  const same = byHost.get(listener.hostname);
  const merged = same ? mergeServices(same.service, listener.service) : listener.service;
  if (merged === undefined) return false;
  byHost.set(listener.hostname, same ? { ...same, service: merged } : listener);
  return true;
}

const familyOf = ({ kind }: ListenerService): string =>
  kind === "https" || kind === "terminate" || kind === "passthrough" ? "tls" : kind;

/** Of two listeners for the same hosts; undefined: they cannot share them. */
function mergeServices(a: ListenerService, b: ListenerService): ListenerService | undefined {
  if (a.kind === "http" && b.kind === "http") return { ...a, entries: [...a.entries, ...b.entries] };
  if (a.kind === "passthrough" && b.kind === "passthrough") return { ...a, routes: [...a.routes, ...b.routes] };
  if (a.kind === "https" && b.kind === "https")
    return { ...a, certificates: [...a.certificates, ...b.certificates], entries: [...a.entries, ...b.entries] };
  if (a.kind === "terminate" && b.kind === "terminate")
    return { ...a, certificates: [...a.certificates, ...b.certificates], routes: [...a.routes, ...b.routes] };
  return undefined;
}

function portOfGroup({ address, port, byHost }: Group, redirectPorts: RedirectPorts): EnginePort | undefined {
  const listeners = [...byHost.values()];
  const [first] = listeners;
  if (!first) return undefined;
  switch (first.service.kind) {
    case "http":
      return { protocol: "http", address, port, redirectPorts, listeners: listeners.map(httpListener) };
    case "https":
    case "terminate":
    case "passthrough":
      return { protocol: "tls", address, port, redirectPorts, listeners: listeners.map(tlsListener) };
    case "tcp":
    case "udp": {
      const { kind, backends, route } = first.service satisfies StreamService;
      return { protocol: kind, address, port, backends, route };
    }
  }
}

const describe = ({ owner, name, hostname }: PlannedListener) => ({ name: `${owner}/${name}`, hostname });

const httpListener = (listener: PlannedListener): HttpListener => ({
  ...describe(listener),
  entries: (listener.service as HttpService).entries,
});

/** Of a group whose services are all of TLS. */
const tlsListener = (listener: PlannedListener): TlsListener =>
  ({ ...describe(listener), ...listener.service }) as TlsListener;
