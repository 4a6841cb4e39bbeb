import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import type { UdpPort } from "../engine/engine.js";
import { UdpFlows } from "../streams/udp-flows.js";
import type { PortContext } from "./port-context.js";
import type { ServedPort } from "./served-port.js";

/** Datagrams. Rejects with the error of `bind`. */
export async function serveUdpPort(first: UdpPort, { stream }: PortContext): Promise<ServedPort<UdpPort>> {
  const socket = createSocket(isIPv6(first.address) ? "udp6" : "udp4");
  const flows = new UdpFlows(socket, stream);
  flows.backends = first.backends;
  socket.bind(first.port, first.address);
  await once(socket, "listening");
  socket.on("error", (error) => stream.runtime.log.warn("a gateway's listener failed", { port: first.port, error }));
  return {
    update: (port) => void (flows.backends = port.backends),
    async close() {
      flows.close();
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
    get connections() {
      return flows.size;
    },
    get heldBytes() {
      return socket.getSendQueueSize();
    },
  };
}
