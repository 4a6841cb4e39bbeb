import { Agent as PlainAgent } from "node:http";
import { Agent as TlsAgent } from "node:https";

/** Connections to other servers that wait for the next request. Those that were made for other certificates or names are not mixed up. */
export interface BackendConnections {
  agentOf(scheme: "http" | "https"): PlainAgent;
  /** Ends those that are not in use: the next request comes with what counts now. */
  dropIdle(): void;
  /** Ends all. */
  close(): void;
}

/** As upstream's transport (k8s.io/client-go/transport/cache.go, idleConnsPerHost): so many wait for one server, so long. */
const idlePerServer = 25;
const idleMs = 90_000;

export function createBackendConnections(): BackendConnections {
  const settings = { keepAlive: true, maxFreeSockets: idlePerServer, timeout: idleMs };
  const agents = { http: new PlainAgent(settings), https: new TlsAgent(settings) };
  const all = Object.values(agents);
  return {
    agentOf: (scheme) => agents[scheme],
    dropIdle() {
      for (const { freeSockets } of all)
        for (const sockets of Object.values(freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    },
    close: () => all.forEach((agent) => agent.destroy()),
  };
}
