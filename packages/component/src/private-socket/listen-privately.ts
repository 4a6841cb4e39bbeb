import { chmod, rename, rm } from "node:fs/promises";
import type { Server } from "node:net";
import type { Duplex } from "node:stream";

/** Lets a server listen on a Unix socket that only this user may open (mode 0600). What a process that was killed left at the path is replaced. */
export async function listenPrivately(
  server: Server,
  path: string,
): Promise<{
  /** Ends all connections and removes the socket. */
  stop(): Promise<void>;
}> {
  const sockets = new Set<Duplex>();
  server.on("connection", (socket: Duplex) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  });
  // Made under another name and moved when it has its mode: nobody finds it open to others, nor a leftover in its place.
  const draft = `${path}~`; // short: so is the field for it in the kernel
  await rm(draft, { force: true });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(draft, resolve));
  await chmod(draft, 0o600);
  await rename(draft, path);
  return {
    async stop() {
      await rm(path, { force: true });
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
