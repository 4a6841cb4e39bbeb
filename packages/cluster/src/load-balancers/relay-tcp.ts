import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { backendsFor } from "./choose-backend.js";
import type { Backend, WantedListener } from "./load-balancer-plan.js";
import { drainMs, type OpenListener, type RelayOptions } from "./open-listener.js";
import { createSourceFilter } from "./source-ranges.js";

/** Connections of one listener; more are closed at once. */
const maxConnections = 512;
/** Milliseconds until another backend is tried. */
const connectMs = 5000;

export async function relayTcp(first: WantedListener, options: RelayOptions): Promise<OpenListener> {
  const { runtime, network } = options;
  let wanted = first;
  let isAllowed = createSourceFilter(first.sourceRanges);
  const clients = new Set<Socket>();

  async function serve(client: Socket): Promise<void> {
    const address = (client.remoteAddress ?? "").replace(/^::ffff:(?=[\d.]+$)/, "");
    client.on("error", () => {}); // "close" follows
    if (clients.size >= maxConnections || !isAllowed(address)) return void client.destroy();
    clients.add(client);
    client.once("close", () => clients.delete(client));
    for (const backend of backendsFor(wanted, address, runtime.random)) {
      if (client.destroyed) return;
      try {
        return join(client, await open(backend));
      } catch (error) {
        runtime.log.debug("an endpoint of a load balancer takes no connection", { ...backend, error });
      }
    }
    // As kube-proxy does for a service without endpoints.
    client.resetAndDestroy();
  }

  async function open(backend: Backend): Promise<Duplex> {
    // No identity: a client of a port of this machine is a stranger to nodes and pods.
    const inside = network.connectInside({
      hostname: backend.address,
      port: backend.port,
      scheme: "http",
      user: undefined,
    });
    // One to a node of another process is about to be, as a socket is.
    if (inside && !("connecting" in inside && inside.connecting === true)) return inside;
    const socket = inside ?? connect({ host: backend.address, port: backend.port, noDelay: true });
    const timer = runtime.ioClock.setTimer(connectMs, () => socket.destroy(new Error("no answer in time")));
    try {
      await once(socket, "connect");
      return socket;
    } finally {
      timer.cancel();
    }
  }

  const server = createServer(
    { noDelay: true, pauseOnConnect: true, allowHalfOpen: true },
    (client) => void serve(client),
  );
  const listening = once(server, "listening");
  server.listen(first.port, first.address);
  await listening;
  server.on("error", (error) => runtime.log.warn("a load balancer's listener failed", { error }));
  return {
    update(changed) {
      wanted = changed;
      isAllowed = createSourceFilter(changed.sourceRanges);
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const timer = runtime.ioClock.setTimer(drainMs, () => {
        for (const client of clients) client.destroy();
      });
      await closed;
      timer.cancel();
    },
  };
}

/** Passes bytes both ways; the end of one direction leaves the other open, an error ends both. */
function join(client: Socket, backend: Duplex): void {
  const end = (): void => {
    client.destroy();
    backend.destroy();
  };
  backend.once("error", end);
  backend.once("close", () => client.end());
  client.once("close", () => backend.destroy());
  if (client.destroyed) return end();
  client.pipe(backend);
  backend.pipe(client);
}
