import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { HttpsListener, TlsListener, TlsPort } from "../engine/engine.js";
import { readClientHello } from "../streams/client-hello.js";
import { proxyStream } from "../streams/proxy-stream.js";
import { readFirst } from "../streams/read-first.js";
import { type ByHostname, byHostname, compileListener } from "./compiled-listeners.js";
import { type ConnectionServer, listenForConnections } from "./connection-server.js";
import type { HttpService } from "./http-service.js";
import type { PortContext } from "./port-context.js";
import { serveConnection } from "./serve-connection.js";
import type { ServedPort } from "./served-port.js";
import { tlsEndOf } from "./tls-contexts.js";

/** Connections with TLS: their first message is read to choose the listener, before TLS ends here or elsewhere. */
export async function serveTlsPort(first: TlsPort, context: PortContext): Promise<ServedPort<TlsPort>> {
  const service = context.httpService(first);
  const { sweeper, runtime } = context.exchange;
  let listeners: ByHostname<TlsListener> = byHostname(first.listeners);
  const server = await listenForConnections(runtime, first, (socket) => {
    readFirst(socket, sweeper, readClientHello, ({ serverName }, bytes) => {
      const listener = listeners.find(serverName);
      if (!listener) return void socket.resetAndDestroy();
      acceptConnection(socket, bytes, { listener, serverName, service, server, context });
    });
  });
  return {
    update(port) {
      listeners = byHostname(port.listeners);
      service.listeners = byHostname(httpsListeners(port).map(compileListener));
      service.redirectPorts = port.redirectPorts;
    },
    close: () => server.close(),
    get connections() {
      return server.connections;
    },
    get heldBytes() {
      return server.heldBytes;
    },
  };
}

export const httpsListeners = ({ listeners }: TlsPort): HttpsListener[] =>
  listeners.flatMap((one) => (one.kind === "https" ? [one] : []));

interface Accepted {
  readonly listener: TlsListener;
  readonly serverName: string;
  readonly service: HttpService;
  readonly server: ConnectionServer;
  readonly context: PortContext;
}

/** Connections in their handshake, by addresses and ports: Node.js hands over another object than it was given. */
const accepted = new Map<string, Accepted & { readonly socket: Socket }>();

const keyOf = ({ localAddress, localPort, remoteAddress, remotePort }: Socket): string =>
  `${localAddress} ${localPort} ${remoteAddress} ${remotePort}`;

function acceptConnection(socket: Socket, bytes: Buffer, by: Accepted): void {
  const { listener, serverName, context } = by;
  if (listener.kind === "passthrough") {
    const backends = byHostname(listener.routes).find(serverName)?.backends ?? [];
    return proxyStream({ connection: socket, first: bytes }, backends, context.stream);
  }
  const key = keyOf(socket);
  accepted.set(key, { ...by, socket });
  socket.once("close", () => accepted.delete(key));
  socket.unshift(bytes);
  tlsEndOf(context.exchange.runtime, listener, (secure) => serveSecure(secure)).accept(socket);
}

function serveSecure(secure: TLSSocket): void {
  const key = keyOf(secure);
  const by = accepted.get(key);
  accepted.delete(key);
  secure.on("error", () => {}); // "close" follows
  if (!by) return void secure.destroy();
  const { listener, serverName, service, server, context, socket } = by;
  if (listener.kind === "https")
    return serveConnection({
      server,
      service,
      socket,
      stream: secure,
      protocol: secure.alpnProtocol === "h2" ? "h2" : "http1",
      first: undefined,
      listener: listener.hostname,
    });
  if (listener.kind === "passthrough") return;
  const backends = byHostname(listener.routes).find(serverName)?.backends ?? [];
  proxyStream({ connection: secure, first: undefined }, backends, context.stream);
}
