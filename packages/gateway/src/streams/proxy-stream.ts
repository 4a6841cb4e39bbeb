import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { Runtime } from "@coxswain/runtime";
import type { BackendPools } from "../backends/backend-pools.js";
import { compileTls, openEndpoint } from "../backends/endpoint-socket.js";
import { backendLimits } from "../backends/limits.js";
import type { Tunnel } from "../calls/tunnel.js";
import type { BackendService, BackendTarget, WeightedBackend } from "../engine/backend.js";
import type { BackendNetwork } from "../engine/backend-network.js";
import { chooseByWeight } from "../exchange/choose-by-weight.js";

export interface StreamContext {
  readonly runtime: Runtime;
  readonly network: BackendNetwork;
  readonly pools: BackendPools;
  endpointsOf(target: BackendTarget, transport?: "TCP" | "UDP"): readonly Endpoint[];
  openTunnel(client: Tunnel, backend: Tunnel, onClosed: () => void): void;
}

/** Endpoints that are tried before a client is let down. */
const maxAttempts = 3;

/** Joins a client with a backend, chosen once for all of the connection. It is reset where there is none. */
export function proxyStream(client: Tunnel, backends: readonly WeightedBackend[], context: StreamContext): void {
  const socket = client.connection;
  socket.on("error", () => {}); // "close" follows
  const chosen = chooseByWeight(backends, context.runtime.random)?.destination;
  if (chosen?.kind !== "service") return reset(socket);
  const endpoints = context.endpointsOf(chosen.target);
  const attempt = (number: number, before: Endpoint | undefined): void => {
    const endpoint = context.pools.choose(chosen, endpoints, before);
    if (!endpoint || number > maxAttempts) return reset(socket);
    connect(chosen, endpoint, context, (backend) => {
      if (socket.destroyed) backend?.destroy();
      else if (backend) context.openTunnel(client, { connection: backend, first: undefined }, () => {});
      else attempt(number + 1, endpoint);
    });
  };
  attempt(1, undefined);
}

/** Calls back once, with a connection or undefined. */
function connect(
  service: BackendService,
  endpoint: Endpoint,
  { runtime, network }: StreamContext,
  done: (backend: Duplex | undefined) => void,
): void {
  const tls = service.tls && compileTls(service.tls);
  const backend = openEndpoint({ network, endpoint, tls, protocol: undefined });
  const isConnecting = tls !== undefined || (backend as { connecting?: boolean }).connecting === true;
  const fail = (error: Error): void => {
    timer.cancel();
    runtime.log.debug("an endpoint cannot be reached", { ...endpoint, error });
    backend.destroy();
    done(undefined);
  };
  const timer = runtime.ioClock.setTimer(backendLimits.connectMs, () => fail(new Error("no answer in time")));
  const connected = (): void => {
    timer.cancel();
    backend.off("error", fail);
    done(backend);
  };
  backend.once("error", fail);
  backend.on("error", () => {}); // those that come later end in "close"
  if (isConnecting) backend.once(tls ? "secureConnect" : "connect", connected);
  else connected();
}

/** Node.js throws for a connection with TLS. */
function reset(socket: Duplex): void {
  if (socket instanceof Socket && !(socket instanceof TLSSocket)) socket.resetAndDestroy();
  else socket.destroy();
}
