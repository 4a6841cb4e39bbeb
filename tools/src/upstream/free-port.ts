import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

/**
 * Ports on loopback that were free a moment ago, all different. Another process may still take one in between: a process that
 * starts a server on it finds out at once, because the server ends.
 */
export async function freePorts(count: number): Promise<number[]> {
  // All are held open until all are known, or the same port could be handed out twice.
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(
    servers.map(
      (server) => new Promise<void>((resolve, reject) => server.on("error", reject).listen(0, "127.0.0.1", resolve)),
    ),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
