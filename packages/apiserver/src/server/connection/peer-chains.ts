import type { DetailedPeerCertificate, Server, TLSSocket } from "node:tls";

/**
 * Some versions of Node take the chain that a client sent out of the connection before anybody can read it (nodejs/node#65579:
 * 26.8, and 24 from 24.21 on), so that a certificate of an intermediate authority leads nowhere. There, the chain is read
 * one event earlier.
 */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const losesChains = (major === 24 && minor >= 21) || (major === 26 && minor === 8);

const chains = new WeakMap<TLSSocket, DetailedPeerCertificate | undefined>();

/**
 * Keeps the chains of clients for `peerCertificateOf`, where Node loses them. `keylog` is the only event of a TLS server that has
 * the socket before its handshake is done; the keys it brings are dropped.
 */
export function keepPeerChains(server: Server): void {
  if (!losesChains) return;
  server.on("keylog", (_line: Buffer, socket: TLSSocket) => {
    if (chains.has(socket)) return;
    chains.set(socket, undefined);
    socket.prependOnceListener("secure", () => chains.set(socket, socket.getPeerCertificate(true)));
  });
}

/** The certificate of the client with those that were sent along; undefined where there is none. */
export function peerCertificateOf(socket: TLSSocket): DetailedPeerCertificate | undefined {
  const peer = chains.get(socket) ?? socket.getPeerCertificate?.(true);
  return peer?.raw ? peer : undefined;
}
