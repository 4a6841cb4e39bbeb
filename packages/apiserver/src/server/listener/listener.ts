import type { AddressInfo } from "node:net";
import {
  createSecureContext,
  createServer,
  type SecureContext,
  type SecureContextOptions,
  type Server,
  type TLSSocket,
} from "node:tls";
import { chooseByName, type NamedCertificate, namesIn } from "@coxswain/component/serving";
import type { Runtime } from "@coxswain/runtime";
import type { RequestSink } from "../../request/response-sink.js";
import { keepPeerChains } from "../connection/peer-chains.js";
import { createHttp1Server, type Http1Limits } from "../http1/http1.js";
import { createHttp2Server } from "../http2/http2.js";

export interface ListenOptions {
  /** @default "127.0.0.1" */
  host?: string;
  /** Further addresses, on the same port: `::1` beside `127.0.0.1`. @default none */
  moreHosts?: readonly string[];
  /** 0: any free port. */
  port: number;
  certificate: string;
  key: string;
  /** Client certificates that chain to this authenticate their subject; others are ignored. Its names are sent in the handshake. */
  clientAuthority: string;
  /** By server name (SNI). @default none */
  named?: readonly NamedCertificate[];
  /** @default "TLSv1.2" */
  minVersion?: "TLSv1.2" | "TLSv1.3";
  /** As OpenSSL names them. @default Node's */
  ciphers?: string;
  /** SETTINGS_MAX_CONCURRENT_STREAMS of HTTP/2. @default 100 */
  maxStreams?: number;
  /** More connections are closed at once. @default as many as the process may have open files */
  maxConnections?: number;
  /** Called for each of those. */
  onRefused?: () => void;
  /** Called for every failed handshake. */
  onHandshakeError?: () => void;
  /** Sockets live by its `ioClock`, and share the thread by its scheduler. */
  runtime: Runtime;
  /** @default kube-apiserver's */
  http1Limits?: Http1Limits;
}

/** What can be changed while connections are open. */
export type Credentials = Pick<ListenOptions, "certificate" | "key" | "clientAuthority" | "named">;

export interface Listener {
  readonly port: number;
  /** From the next handshake on; connections that are open stay as they are. Throws, and changes nothing, if key and certificate do not belong together. */
  setCredentials(credentials: Credentials): void;
  /** Accepts no connections, and sends GOAWAY on those of HTTP/2; requests in flight continue. */
  stopAccepting(): void;
  /** Ends the connections that are left, and resolves when they are gone. Call it when all requests are answered. */
  close(): Promise<void>;
  /** Cuts the connections that are left, whatever is under way on them. */
  cut(): void;
}

/** One TLS server that hands each socket on by what ALPN agreed: HTTP/2 or HTTP/1.1. */
export async function listen(options: ListenOptions, onRequest: RequestSink): Promise<Listener> {
  const { ioClock, scheduler } = options.runtime;
  const http2 = createHttp2Server(onRequest, options);
  const http1 = createHttp1Server(onRequest, scheduler, options.http1Limits);
  const sockets = new Set<TLSSocket>();
  const names = createNames(options);
  const open = (): Server =>
    createServer(
      {
        ...contextOptions(options, options),
        requestCert: true,
        rejectUnauthorized: false,
        handshakeTimeout: handshakeTimeoutMs,
        ALPNProtocols: ["h2", "http/1.1"],
        SNICallback: (name, done) => done(null, names.find(name)),
      },
      (socket) => {
        sockets.add(socket);
        socket.once("close", () => sockets.delete(socket));
        socket.on("error", () => socket.destroy());
        socket.setNoDelay(true);
        if (socket.alpnProtocol === "h2") http2.accept(socket);
        else http1.emit("connection", socket);
      },
    ).on("tlsClientError", () => options.onHandshakeError?.()); // not logged: any client can cause it
  const [server, ...others] = [options.host ?? "127.0.0.1", ...(options.moreHosts ?? [])].map((host) => ({
    host,
    tls: open(),
  }));
  if (!server) throw new Error("a listener needs an address");
  for (const { tls } of [server, ...others]) keepPeerChains(tls);
  await bind(server.tls, options.port, server.host);
  const { port } = server.tls.address() as AddressInfo;
  for (const { host, tls } of others) await bind(tls, port, host);
  const servers = [server, ...others].map(({ tls }) => tls);
  for (const each of servers) {
    if (options.maxConnections !== undefined) each.maxConnections = options.maxConnections;
    each.on("drop", () => options.onRefused?.());
  }
  let closed: Promise<void> | undefined;
  const stopAccepting = (): Promise<void> => {
    closed ??= Promise.all(servers.map((one) => new Promise<void>((resolve) => one.close(() => resolve())))).then(
      () => {},
    );
    http2.close();
    return closed;
  };
  return {
    port,
    setCredentials(credentials) {
      const context = contextOptions(options, credentials);
      createSecureContext(context); // throws before anything is changed
      names.set(credentials.named ?? [], credentials.clientAuthority);
      for (const one of servers) one.setSecureContext(context);
    },
    stopAccepting: () => void stopAccepting(),
    async close() {
      const done = stopAccepting();
      http2.end();
      http1.close();
      for (const socket of sockets) if (socket.alpnProtocol !== "h2") socket.end();
      // A client that does not close in time is disconnected.
      const timeout = ioClock.setTimer(closeTimeoutMs, () => sockets.forEach((socket) => socket.destroy()));
      await done;
      timeout.cancel();
    },
    cut() {
      void stopAccepting();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Graceful shutdown: time for clients to close their connections. */
const closeTimeoutMs = 2000;

/** Time-out of the TLS handshake: as long as for the headers of a request, as in Go (ReadHeaderTimeout of kube-apiserver's server). */
const handshakeTimeoutMs = 32_000;

function contextOptions(
  { minVersion, ciphers }: ListenOptions,
  { certificate, key, clientAuthority }: Credentials,
): SecureContextOptions {
  return {
    cert: certificate,
    key,
    ca: clientAuthority,
    minVersion: minVersion ?? "TLSv1.2",
    ...(ciphers === undefined ? {} : { ciphers }),
  };
}

/** TLS contexts by server name (SNI). Undefined: the default one. */
function createNames(options: ListenOptions): {
  find(name: string): SecureContext | undefined;
  set(named: readonly NamedCertificate[], clientAuthority: string): void;
} {
  let entries: { patterns: readonly string[]; context: SecureContext }[] = [];
  const set = (named: readonly NamedCertificate[], clientAuthority: string): void => {
    entries = named.map(({ certificate, key, patterns }) => ({
      patterns: patterns ?? namesIn(certificate),
      context: createSecureContext(contextOptions(options, { certificate, key, clientAuthority })),
    }));
  };
  set(options.named ?? [], options.clientAuthority);
  return { find: (name) => chooseByName(entries, name)?.context, set };
}

const bind = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
