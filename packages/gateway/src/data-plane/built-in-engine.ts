import { BackendPools } from "../backends/backend-pools.js";
import { Sweeper } from "../clients/sweeper.js";
import {
  type Engine,
  type EngineOptions,
  type EnginePort,
  type FailedPort,
  type HttpPort,
  keyOfPort,
  type TlsPort,
} from "../engine/engine.js";
import type { ExchangeContext } from "../exchange/exchange-context.js";
import { Mirrors } from "../exchange/mirror.js";
import { replayBytes } from "../exchange/replay.js";
import { byHostname, compileListener } from "./compiled-listeners.js";
import { type EngineLoad, limitHeldBytes } from "./engine-load.js";
import { engineMetrics } from "./engine-metrics.js";
import { serveHttpPort } from "./http-port.js";
import type { HttpService } from "./http-service.js";
import type { PortContext } from "./port-context.js";
import type { ServedPort } from "./served-port.js";
import { serveTcpPort } from "./tcp-port.js";
import { httpsListeners, serveTlsPort } from "./tls-port.js";
import { Tunnels } from "./tunnels.js";
import { serveUdpPort } from "./udp-port.js";

export interface BuiltInEngine extends Engine {
  readonly load: EngineLoad;
}

/** The data plane in this process. */
export function createBuiltInEngine(options: EngineOptions): BuiltInEngine {
  const { runtime, network, endpointsOf } = options;
  const pools = new BackendPools(runtime, network);
  const tunnels = new Tunnels();
  const sweeper = new Sweeper(runtime.ioClock);
  const open = new Map<string, ServedPort>();
  const closing = new Set<Promise<void>>();
  const draining = new Set<ServedPort>();
  const load = (): EngineLoad => {
    const ports = [...open.values(), ...draining];
    return {
      connections: ports.reduce((sum, { connections }) => sum + connections, 0),
      backendConnections: pools.connections,
      backendRequests: pools.open,
      heldBytes:
        ports.reduce((sum, { heldBytes }) => sum + heldBytes, 0) + pools.heldBytes + tunnels.heldBytes + replayBytes(),
    };
  };
  const metrics = engineMetrics(runtime.metrics, load);
  const exchange: ExchangeContext = {
    runtime,
    pools,
    mirrors: new Mirrors(),
    sweeper,
    endpointsOf,
    onBackendFailure: metrics.onBackendFailure,
    openTunnel: (...both) => tunnels.open(...both),
  };
  const isOverBudget = limitHeldBytes(() => load().heldBytes);
  const context: PortContext = {
    exchange,
    stream: { runtime, network, pools, endpointsOf, openTunnel: exchange.openTunnel },
    httpService: (port) =>
      httpService(port, { exchange, isOverBudget, onOutcome: metrics.onOutcome(options.accessLog) }),
  };

  function closeOne(key: string, port: ServedPort): void {
    open.delete(key);
    draining.add(port);
    const closed = port.close().finally(() => {
      closing.delete(closed);
      draining.delete(port);
    });
    closing.add(closed);
  }

  return {
    get load() {
      return load();
    },
    async apply(wanted) {
      const keys = new Set(wanted.map(keyOfPort));
      for (const [key, port] of open) if (!keys.has(key)) closeOne(key, port);
      const failed: FailedPort[] = [];
      for (const one of wanted) {
        const there = open.get(keyOfPort(one));
        if (there) there.update(one);
        else
          try {
            open.set(keyOfPort(one), await openPort(one, context));
          } catch (error) {
            failed.push({ wanted: one, error: error as NodeJS.ErrnoException });
          }
      }
      return failed;
    },
    async close() {
      for (const [key, port] of open) closeOne(key, port);
      await Promise.all(closing);
      tunnels.destroy();
      pools.close();
      sweeper.stop();
    },
  };
}

const httpService = (
  port: HttpPort | TlsPort,
  { exchange, ...shared }: Pick<HttpService, "isOverBudget" | "onOutcome"> & { exchange: ExchangeContext },
): HttpService => ({
  ...shared,
  context: exchange,
  port: port.port,
  listeners: byHostname((port.protocol === "http" ? port.listeners : httpsListeners(port)).map(compileListener)),
  redirectPorts: port.redirectPorts,
});

async function openPort(port: EnginePort, context: PortContext): Promise<ServedPort> {
  switch (port.protocol) {
    case "http":
      return (await serveHttpPort(port, context)) as ServedPort;
    case "tls":
      return (await serveTlsPort(port, context)) as ServedPort;
    case "tcp":
      return (await serveTcpPort(port, context)) as ServedPort;
    case "udp":
      return (await serveUdpPort(port, context)) as ServedPort;
  }
}
