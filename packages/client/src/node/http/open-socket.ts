import type { Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { Clock } from "@coxswain/runtime/clock";
import { TransportError } from "../../transport/transport-error.js";
import { dial, established } from "./dial.js";
import type { Proxy } from "./proxy.js";
import { tunnelThroughProxy } from "./proxy-tunnel.js";
import { type ServerAddress, serverNameOf } from "./server-address.js";
import type { TlsMaterial } from "./tls-material.js";

export interface OpenSocketOptions {
  readonly address: ServerAddress;
  readonly tls: TlsMaterial;
  readonly proxy: Proxy | undefined;
  /** In order of preference. */
  readonly protocols: readonly ("h2" | "http/1.1")[];
  readonly clock: Clock;
  /** For TCP, proxy and TLS together. @default 30 s, as Go's dialer */
  readonly timeoutMs?: number;
}

/** A connection that is ready to use, through a proxy where there is one. @throws TransportError "connect" */
export async function openSocket(options: OpenSocketOptions): Promise<Socket | TLSSocket> {
  const { address, tls, proxy, protocols, clock, timeoutMs = 30_000 } = options;
  const ending = new AbortController();
  const timer = clock.setTimer(timeoutMs, () => ending.abort(new Error(`no connection within ${timeoutMs} ms`)));
  try {
    const plain =
      proxy === undefined
        ? await dial(address, ending.signal)
        : await tunnelThroughProxy(proxy, address, ending.signal);
    plain.setNoDelay(true);
    plain.setKeepAlive(true, 30_000);
    return address.secure ? await secure(plain, { address, tls, protocols, signal: ending.signal }) : plain;
  } catch (cause) {
    throw new TransportError(
      "connect",
      `cannot connect to ${address.authority}${proxy ? ` through ${proxy.url.host}` : ""}: ${messageOf(cause)}`,
      { cause },
    );
  } finally {
    timer.cancel();
  }
}

function secure(
  socket: Socket,
  {
    address,
    tls,
    protocols,
    signal,
  }: { address: ServerAddress; tls: TlsMaterial; protocols: readonly string[]; signal: AbortSignal },
): Promise<TLSSocket> {
  const servername = tls.serverName ?? serverNameOf(address.host);
  return established(
    connectTls({
      socket,
      // Node checks the certificate against this where there is no server name: an address.
      host: address.host,
      ALPNProtocols: [...protocols],
      ...(servername !== undefined && { servername }),
      // It may be the server's own certificate: client-go takes any trusted certificate for a root.
      ...(tls.ca !== undefined && { ca: tls.ca, allowPartialTrustChain: true }),
      ...(tls.cert !== undefined && { cert: tls.cert }),
      ...(tls.key !== undefined && { key: tls.key }),
      rejectUnauthorized: tls.insecure !== true,
    }),
    "secureConnect",
    signal,
  );
}

function messageOf(cause: unknown): string {
  const { message, code, errors } = cause as { message?: string; code?: string; errors?: readonly Error[] };
  // Of several addresses of one host the first error is reported; Node's own message is empty then.
  return message || errors?.[0]?.message || code || String(cause);
}
