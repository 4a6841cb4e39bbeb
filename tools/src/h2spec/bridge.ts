import { type AddressInfo, createServer, type Socket } from "node:net";
import { connect } from "node:tls";
import type { ClusterAccess } from "../upstream/index.js";

export interface Bridge {
  readonly port: number;
  stop(): Promise<void>;
}

/** A port on which bytes go to a server over TLS with a client certificate, which h2spec cannot show, and come back as they are. */
export async function openBridge({
  server: url,
  certificateAuthority: ca,
  clientCertificate: cert = "",
  clientKey: key = "",
}: ClusterAccess): Promise<Bridge> {
  const { port, hostname: host } = new URL(url);
  const open = new Set<Socket>();
  const keep = (socket: Socket, other: () => Socket): void => {
    open.add(socket);
    socket.on("error", () => other().destroy());
    socket.on("close", () => {
      open.delete(socket);
      other().destroySoon();
    });
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ host, port: Number(port), ALPNProtocols: ["h2"], ca, cert, key });
    keep(near, () => far);
    keep(far, () => near);
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
