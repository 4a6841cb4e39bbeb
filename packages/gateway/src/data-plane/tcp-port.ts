import type { TcpPort } from "../engine/engine.js";
import { proxyStream } from "../streams/proxy-stream.js";
import { listenForConnections } from "./connection-server.js";
import type { PortContext } from "./port-context.js";
import type { ServedPort } from "./served-port.js";

/** Each connection goes to one backend. */
export async function serveTcpPort(first: TcpPort, { stream }: PortContext): Promise<ServedPort<TcpPort>> {
  let { backends } = first;
  const server = await listenForConnections(stream.runtime, first, (socket) => {
    socket.pause();
    proxyStream({ connection: socket, first: undefined }, backends, stream);
  });
  return {
    update: (port) => void ({ backends } = port),
    close: () => server.close(),
    get connections() {
      return server.connections;
    },
    get heldBytes() {
      return server.heldBytes;
    },
  };
}
