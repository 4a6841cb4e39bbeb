import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface PlainServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Pages are small and have no bodies: a client that takes longer for its headers is cut. */
const headersTimeoutMs = 10_000;
/** Connections at once: health checks open few. */
const maxConnections = 512;

/** Serves answers without bodies to read, by plain HTTP. Resolves when it listens. @throws Error if the port cannot be bound */
export async function servePlain(
  { host, port, ipv6Only = false }: { host: string; port: number; ipv6Only?: boolean },
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<PlainServer> {
  const sockets = new Set<Socket>();
  const server = createServer(
    { headersTimeout: headersTimeoutMs, requestTimeout: 2 * headersTimeoutMs },
    (request, response) => {
      request.resume();
      answer(request, response);
    },
  );
  server.maxConnections = maxConnections;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, ipv6Only }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
