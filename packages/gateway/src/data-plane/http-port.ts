import type { HttpPort } from "../engine/engine.js";
import { readFirst } from "../streams/read-first.js";
import { byHostname, compileListener } from "./compiled-listeners.js";
import { listenForConnections } from "./connection-server.js";
import type { PortContext } from "./port-context.js";
import { protocolOf, serveConnection } from "./serve-connection.js";
import type { ServedPort } from "./served-port.js";

/** Requests in plain text. */
export async function serveHttpPort(first: HttpPort, context: PortContext): Promise<ServedPort<HttpPort>> {
  const service = context.httpService(first);
  const { sweeper, runtime } = context.exchange;
  const server = await listenForConnections(runtime, first, (socket) => {
    readFirst(socket, sweeper, protocolOf, (protocol, bytes) =>
      serveConnection({ server, service, socket, stream: socket, protocol, first: bytes, listener: undefined }),
    );
  });
  return {
    update({ listeners, redirectPorts }) {
      service.listeners = byHostname(listeners.map(compileListener));
      service.redirectPorts = redirectPorts;
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
