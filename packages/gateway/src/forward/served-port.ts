import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { Agent, createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createSecureContext, type SecureContext } from "node:tls";
import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { Runtime } from "@coxswain/runtime";
import type { BackendTarget, ServerCertificate } from "../engine/backend.js";
import type { BackendNetwork } from "../engine/backend-network.js";
import type { HttpListener, HttpPort, HttpsListener, TlsPort } from "../engine/engine.js";
import type { RoutedRule } from "../engine/routed-rule.js";
import { namesOfHost } from "../routing/hostname.js";
import { buildRouteTable, type RouteTable } from "../routing/route-table.js";
import { type ForwardingOptions, serveRequest, serveUpgrade } from "./serve-request.js";

export interface ServedPortOptions {
  readonly runtime: Runtime;
  readonly network: BackendNetwork;
  readonly agent: Agent;
  endpointsOf(target: BackendTarget): readonly Endpoint[];
}

/** A port that is listened on. Its listeners and their routes change while it is open. */
export interface ServedPort {
  update(port: HttpPort | TlsPort): void;
  /** Takes no more connections; requests under way have `drainMs` to end. */
  close(): Promise<void>;
}

/** Limits of one port against slow and greedy clients. */
const limits = {
  connections: 4096,
  /** Of a request's line and headers, in bytes. */
  maxHeaderSize: 64 * 1024,
  /** Milliseconds for a request's headers, and between two requests of a connection. */
  headersTimeout: 10_000,
  keepAliveTimeout: 60_000,
};
/** Milliseconds that requests under way have when a listener goes. */
const drainMs = 5000;

/** Listens; rejects with the error of `listen`. All listeners have one protocol: others of the port are in conflict and not served. */
export async function servePort(at: HttpPort | TlsPort, options: ServedPortOptions): Promise<ServedPort> {
  let served = compileListeners(at);
  const isTls = at.protocol === "tls";
  const forwarding: ForwardingOptions = {
    ...options,
    scheme: isTls ? "https" : "http",
    port: at.port,
    find: (request) => served.tableOf(request.host)?.find(request),
  };
  const settings = {
    maxHeaderSize: limits.maxHeaderSize,
    headersTimeout: limits.headersTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    requestTimeout: 0, // a body may take its time: uploads, gRPC
  };
  const server: Server = isTls
    ? createTlsServer({
        ...settings,
        SNICallback: (name, done) => done(null, served.contextOf(name)),
        ALPNProtocols: ["http/1.1"],
      })
    : createServer(settings);
  server.maxConnections = limits.connections;
  server.on("request", (incoming, response) => serveRequest(forwarding, incoming, response));
  server.on("upgrade", (incoming, socket, head) => serveUpgrade(forwarding, incoming, socket, head));
  server.listen(at.port, at.address);
  await once(server, "listening");
  server.on("error", (error) =>
    options.runtime.log.warn("a gateway's listener failed", { address: at.address, port: at.port, error }),
  );
  return {
    update: (port) => void (served = compileListeners(port)),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = options.runtime.ioClock.setTimer(drainMs, () => server.closeAllConnections());
      await closed;
      timer.cancel();
    },
  };
}

interface CompiledListeners {
  /** Of the listener with the most specific hostname; others do not see the request (listener isolation). */
  tableOf(host: string): RouteTable<RoutedRule> | undefined;
  contextOf(serverName: string): SecureContext | undefined;
}

function compileListeners(port: HttpPort | TlsPort): CompiledListeners {
  const secure =
    port.protocol === "tls" ? port.listeners.filter((one): one is HttpsListener => one.kind === "https") : [];
  const listeners: readonly HttpListener[] = port.protocol === "http" ? port.listeners : secure;
  const tables = new Map(listeners.map(({ hostname, entries }) => [hostname, buildRouteTable(entries)]));
  const contexts = secure.flatMap(({ certificates }) => certificates.map(compileCertificate));
  return {
    tableOf(host) {
      for (const name of namesOfHost(host)) {
        const table = tables.get(name);
        if (table) return table;
      }
      return undefined;
    },
    contextOf: (name) => (contexts.find(({ x509 }) => x509.checkHost(name) !== undefined) ?? contexts[0])?.context,
  };
}

const compileCertificate = ({ certificate, key }: ServerCertificate) => ({
  x509: new X509Certificate(certificate),
  context: createSecureContext({ cert: certificate, key }),
});
