import type { Agent } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Keeps requests off connections that the server has closed while they waited for the next one, as after its restart. Node's
 * agent hands such a connection out until our side of it is closed, too, which is one or two iterations of the event loop after the
 * server's FIN was read: a request that is written to it is lost. Go's pool drops a connection with the FIN.
 *
 * @returns what to await before each request: a whole poll phase, in which a FIN is read that is there already. Undefined when no
 * connection waits for a request.
 */
export function followIdleConnections(agent: Agent): () => Promise<void> | undefined {
  const [keep, reuse] = [agent.keepSocketAlive.bind(agent), agent.reuseSocket.bind(agent)];
  function close(this: Duplex): void {
    this.destroy();
  }
  agent.keepSocketAlive = (socket) => {
    socket.once("end", close);
    return keep(socket);
  };
  agent.reuseSocket = (socket, request) => {
    socket.off("end", close);
    reuse(socket, request);
  };
  return () => {
    // The first one ends the poll phase under way, which has fetched its events already; the second one comes after the next.
    for (const _ in agent.freeSockets) return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    return undefined;
  };
}
