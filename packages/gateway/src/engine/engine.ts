import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { Runtime } from "@coxswain/runtime";
import type { RouteEntry } from "../routing/route-table.js";
import type { BackendTarget, ServerCertificate, WeightedBackend } from "./backend.js";
import type { BackendNetwork } from "./backend-network.js";
import type { RoutedRule } from "./routed-rule.js";

/**
 * Serves ports. All it is given is plain data: it reads no cluster, and decides nothing that the plan has decided.
 *
 * Guarantees
 * - A port whose `key` stays keeps its socket and its connections while its listeners change. What is new holds for the next request (HTTP),
 *   connection (TCP, TLS) or flow (UDP); requests, connections and flows under way end as they began, within the drain time.
 * - What did not change is the same object as before (`listeners`, `entries`, `routes`, `certificates`), so that nothing is compiled twice.
 */
export interface Engine {
  /** Opens what is wanted and not open, updates what is, drains and closes the rest. Resolves to what could not be opened; it is tried again each time. */
  apply(ports: readonly EnginePort[]): Promise<readonly FailedPort[]>;
  /** Takes no more connections; those under way have the drain time. */
  close(): Promise<void>;
}

export interface EngineOptions {
  readonly runtime: Runtime;
  /** Where connections to endpoints go: simulated pods of this process first, else sockets. */
  readonly network: BackendNetwork;
  /** The ready endpoints of a Service's port as they are now; asked for each request, connection or flow. @param transport of the port; `TCP` if it is left out */
  endpointsOf(target: BackendTarget, transport?: "TCP" | "UDP"): readonly Endpoint[];
  /** Called once for each request that is over. @default nobody asks */
  readonly accessLog?: AccessLog;
}

export type AccessLog = (entry: AccessEntry) => void;

/** One request. What clients choose is cut to 256 characters. */
export interface AccessEntry {
  readonly client: string;
  readonly protocol: string;
  readonly method: string;
  readonly host: string;
  readonly target: string;
  readonly userAgent: string;
  readonly listener: string;
  /** `kind namespace/name`; empty: none was found. */
  readonly route: string;
  /** `address:port`; empty: it went to no backend. */
  readonly endpoint: string;
  /** 0: the client left before it was answered. */
  readonly status: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly ms: number;
  readonly attempts: number;
}

export type CreateEngine = (options: EngineOptions) => Engine;

export interface FailedPort {
  readonly wanted: EnginePort;
  readonly error: NodeJS.ErrnoException;
}

/** A socket that is listened on. Ports of one address and number are distinct by transport only (TCP and UDP). */
export type EnginePort = HttpPort | TlsPort | TcpPort | UdpPort;

/** The key of a port: one that changes its protocol is closed and opened anew. */
export const keyOfPort = ({ protocol, address, port }: EnginePort): string => `${protocol} ${address} ${port}`;

interface Socket {
  readonly address: string;
  /** Where it is listened: the listener's port, moved by the port offset. */
  readonly port: number;
}

/** Requests in plain text: HTTP/1.1 and, with prior knowledge, HTTP/2. */
export interface HttpPort extends Socket {
  readonly protocol: "http";
  /** Of different hostnames. A request is for the most specific one of its host, and for no other (listener isolation); for none: 404. */
  readonly listeners: readonly HttpListener[];
  readonly redirectPorts: RedirectPorts;
}

/** Connections with TLS. Their server name (SNI) chooses the listener, the most specific hostname first; for none, the connection is reset. */
export interface TlsPort extends Socket {
  readonly protocol: "tls";
  /** Of different hostnames. Passthrough and termination may share a port. */
  readonly listeners: readonly TlsListener[];
  readonly redirectPorts: RedirectPorts;
}

/** Each connection goes to one backend; to none (`failure`): it is closed at once. */
export interface TcpPort extends Socket {
  readonly protocol: "tcp";
  readonly backends: readonly WeightedBackend[];
  readonly route: string;
}

/** Datagrams of one client address and port are a flow, with one backend until it is idle for a minute; to none (`failure`): they are dropped. */
export interface UdpPort extends Socket {
  readonly protocol: "udp";
  readonly backends: readonly WeightedBackend[];
  readonly route: string;
}

/** Ports for redirects that name a scheme and no port. 80 and 443, moved as all ports are: a redirect leads to where something listens. */
export interface RedirectPorts {
  readonly http: number;
  readonly https: number;
}

export interface HttpListener {
  /** `owner/listener`, for logs and metrics. */
  readonly name: string;
  /** `a.b`, `*.b` (one or more labels), or empty: any host. */
  readonly hostname: string;
  /** For `buildRouteTable`. A request that no entry is for: 404, of gRPC: UNIMPLEMENTED. */
  readonly entries: readonly RouteEntry<RoutedRule>[];
}

export type TlsListener = HttpsListener | TlsTerminatingListener | TlsPassthroughListener;

/** HTTP/2 and HTTP/1.1 by ALPN. A request whose host is of another listener of this port than the connection's server name: 421. */
export interface HttpsListener extends HttpListener {
  readonly kind: "https";
  readonly certificates: readonly ServerCertificate[];
  readonly clientValidation: ClientValidation | undefined;
}

/** TLS ends here; what is in it goes to a backend as a stream of bytes, chosen by the server name. */
export interface TlsTerminatingListener {
  readonly kind: "terminate";
  readonly name: string;
  readonly hostname: string;
  readonly certificates: readonly ServerCertificate[];
  readonly clientValidation: ClientValidation | undefined;
  readonly routes: readonly ServerNameRoute[];
}

/** The bytes of the connection, its first record included, go to a backend chosen by the server name. */
export interface TlsPassthroughListener {
  readonly kind: "passthrough";
  readonly name: string;
  readonly hostname: string;
  readonly routes: readonly ServerNameRoute[];
}

/** Of several that match, the most specific hostname, then the first in the list. No match: the connection is reset. */
export interface ServerNameRoute {
  readonly hostname: string;
  readonly backends: readonly WeightedBackend[];
  /** `kind namespace/name`, for logs. */
  readonly route: string;
}

/** Clients' certificates (Gateway.spec.tls.frontend). */
export interface ClientValidation {
  /** PEM; empty: nothing is trusted, and with `AllowValidOnly` no handshake succeeds. */
  readonly authorities: string;
  /** `AllowInsecureFallback`: one that is missing or wrong is let in. */
  readonly mode: "AllowValidOnly" | "AllowInsecureFallback";
}
