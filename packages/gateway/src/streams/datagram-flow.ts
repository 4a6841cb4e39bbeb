import { createSocket } from "node:dgram";
import { isIPv6 } from "node:net";
import type { Duplex } from "node:stream";
import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { BackendNetwork } from "../engine/backend-network.js";

/** Datagrams to one endpoint, and back. */
export interface DatagramFlow {
  /** One that cannot be sent is lost, as networks lose them. */
  send(data: Buffer): void;
  close(): void;
}

export interface DatagramEvents {
  onMessage(data: Buffer): void;
  /** Nobody listens there. */
  onError(): void;
}

/** Bytes that are not sent yet: what comes on top is dropped. */
export const maxQueuedBytes = 256 * 1024;
/** Datagrams until a socket is connected. */
const maxWaiting = 16;

/** To a simulated pod of this process, or by a socket. Undefined: a simulated pod refuses. */
export function openDatagrams(
  network: BackendNetwork,
  endpoint: Endpoint,
  events: DatagramEvents,
): DatagramFlow | undefined {
  try {
    const { address: hostname, port } = endpoint;
    const inside = network.connectInside({ hostname, port, scheme: "udp", user: undefined });
    return inside ? flowInside(inside, events) : flowBySocket(endpoint, events);
  } catch {
    return undefined;
  }
}

function flowBySocket({ address, port }: Endpoint, { onMessage, onError }: DatagramEvents): DatagramFlow {
  const socket = createSocket(isIPv6(address) ? "udp6" : "udp4");
  let waiting: Buffer[] | undefined = [];
  const send = (data: Buffer): void => {
    if (socket.getSendQueueSize() + data.length <= maxQueuedBytes) socket.send(data, () => {});
  };
  socket.on("message", onMessage);
  socket.on("error", onError);
  socket.connect(port, address, () => {
    for (const data of waiting ?? []) send(data);
    waiting = undefined;
  });
  return {
    send(data) {
      if (!waiting) send(data);
      else if (waiting.length < maxWaiting) waiting.push(data);
    },
    close: () => void socket.close(),
  };
}

/** Each datagram is behind its length in two bytes. */
function flowInside(stream: Duplex, { onMessage, onError }: DatagramEvents): DatagramFlow {
  let rest: Buffer = Buffer.alloc(0);
  let isClosed = false;
  stream.on("data", (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const end = 2 + rest.readUInt16BE(0);
      onMessage(rest.subarray(2, end));
      rest = rest.subarray(end);
    }
  });
  stream.on("error", () => {}); // "close" follows
  stream.once("close", () => void (isClosed || onError()));
  return {
    send(data) {
      if (stream.destroyed || stream.writableLength + data.length > maxQueuedBytes) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(data.length);
      stream.write(Buffer.concat([length, data]));
    },
    close() {
      isClosed = true;
      stream.destroy();
    },
  };
}
